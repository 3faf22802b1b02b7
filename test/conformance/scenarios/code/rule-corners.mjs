// Protections, statuses, releases and wiki pages: unusual bodies, types and parameters.
export default async function (t) {
  const [alice, bob] = await Promise.all(['alice', 'bob'].map((name) => t.user(name)));
  const org = await t.org(alice, 'org');
  await alice.repo('demo', { auto_init: false });
  const repo = `${alice.name}/demo`;
  const path = `/repos/${repo}`;
  const first = await alice.push(repo, { files: { 'a.txt': '1\n' }, message: 'First', date: '2024-01-01T12:00:00+00:00', tag: 'v1' });
  t.name(first.sha, 'first');
  t.name('2024-01-01T12:00:00Z', 'January');
  await t.eventually(() => alice.send('GET', `${path}/tags/v1`), ({ status }) => status === 200);

  // Branch protections
  const rules = `${path}/branch_protections`;
  const rule = { body: ({ created_at, updated_at, ...rest }) => rest };
  for (const [label, body] of Object.entries({
    nothing: {}, 'both names': { branch_name: 'a', rule_name: 'b' }, 'a branch name': { branch_name: 'old' }, 'an empty name': { rule_name: '' }, 'a star': { rule_name: '*' }, 'two stars': { rule_name: '**' }, 'a number': { rule_name: 1 }, 'the same': { rule_name: 'old' }, 'unknown users': { rule_name: 'r1', enable_push: true, enable_push_whitelist: true, push_whitelist_usernames: ['nobody-at-all'] }, 'teams of a user': { rule_name: 'r2', enable_push: true, enable_push_whitelist: true, push_whitelist_teams: ['x'] }, 'users': { rule_name: 'r3', enable_push: true, enable_push_whitelist: true, push_whitelist_usernames: [alice.name, bob.name] }, 'users without their switch': { rule_name: 'r4', push_whitelist_usernames: [alice.name] }, 'negative approvals': { rule_name: 'r5', required_approvals: -1 }, 'many approvals': { rule_name: 'r6', required_approvals: 100 }, 'a text for approvals': { rule_name: 'r7', required_approvals: 'x' }, 'contexts': { rule_name: 'r8', enable_status_check: true, status_check_contexts: ['ci/*', '', 'ci/*'] }, 'no contexts': { rule_name: 'r9', enable_status_check: true }, 'file patterns': { rule_name: 'r10', protected_file_patterns: '*.txt; dir/**', unprotected_file_patterns: 'x' }, 'force': { rule_name: 'r11', enable_force_push: true, enable_force_push_allowlist: true, force_push_allowlist_usernames: [alice.name], force_push_allowlist_deploy_keys: true }, 'merge': { rule_name: 'r12', enable_merge_whitelist: true, merge_whitelist_usernames: [alice.name] }, 'approvals': { rule_name: 'r13', enable_approvals_whitelist: true, approvals_whitelist_username: [alice.name], block_on_rejected_reviews: true, block_on_official_review_requests: true, block_on_outdated_branch: true, dismiss_stale_approvals: true, ignore_stale_approvals: true, require_signed_commits: true, block_admin_merge_override: true, priority: 5 }, 'a priority': { rule_name: 'r14', priority: -1 },
  })) await alice.post(rules, body, { ...rule, label: `${rules}: ${label}` });
  await alice.get(rules, { body: (all) => all.map(({ rule_name, priority }) => `${rule_name} ${priority}`) });
  for (const [label, body] of Object.entries({ nothing: {}, 'a name': { rule_name: 'new' }, 'null': { enable_push: null }, 'a text': { enable_push: 'x' }, 'no users': { push_whitelist_usernames: [] }, 'unknown users': { push_whitelist_usernames: ['nobody-at-all'] }, 'a priority': { priority: 9 } })) await alice.patch(`${rules}/r3`, body, { ...rule, label: `${rules}/r3: ${label}` });
  for (const name of ['missing', 'R3', '%2A', 'r3%20']) { await alice.get(`${rules}/${name}`, { body: ({ rule_name }) => rule_name }); await alice.delete(`${rules}/${name}`); }
  for (const body of [{}, { ids: [] }, { ids: [99999999] }, { ids: 'x' }]) await alice.post(`${rules}/priority`, body, { label: `${rules}/priority: ${JSON.stringify(body)}` });
  await bob.get(rules); await bob.post(rules, { rule_name: 'x' }); await t.anonymous.get(rules);

  // Tag protections
  const tags = `${path}/tag_protections`;
  const tagRule = { body: ({ name_pattern, whitelist_usernames, whitelist_teams }) => ({ name_pattern, whitelist_usernames, whitelist_teams }) };
  for (const [label, body] of Object.entries({ nothing: {}, empty: { name_pattern: '' }, blanks: { name_pattern: ' x ' }, 'a bad pattern': { name_pattern: '[' }, 'a bad expression': { name_pattern: '/[/' }, 'an expression': { name_pattern: '/^v/' }, 'unknown users': { name_pattern: 'u', whitelist_usernames: ['nobody-at-all'] }, 'teams of a user': { name_pattern: 'w', whitelist_teams: ['x'] }, 'the same': { name_pattern: '/^v/' }, 'a number': { name_pattern: 1 } })) await alice.post(tags, body, { ...tagRule, label: `${tags}: ${label}` });
  for (const id of ['0', 'x', '99999999']) { await alice.get(`${tags}/${id}`); await alice.patch(`${tags}/${id}`, { name_pattern: 'x' }); await alice.delete(`${tags}/${id}`); }
  await bob.get(tags); await bob.post(tags, { name_pattern: 'x' });
  for (const each of await alice.must('GET', tags)) await alice.must('DELETE', `${tags}/${each.id}`);

  // Statuses
  const statuses = `${path}/statuses/${first.sha}`;
  const status = { body: ({ status: state, context, description, target_url }) => ({ state, context, description, target_url }) };
  for (const [label, body] of Object.entries({ 'a number': { state: 1 }, 'an empty context': { state: 'success', context: '' }, 'blanks': { state: 'success', context: ' a ' }, 'a long context': { state: 'success', context: 'c'.repeat(300) }, 'a long description': { state: 'success', context: 'd', description: 'd'.repeat(300) }, 'no address': { state: 'success', context: 'e', target_url: 'nonsense' } })) await alice.post(statuses, body, { ...status, label: `${statuses}: ${label}` });
  for (const sha of ['main', first.sha.slice(0, 8)]) await alice.post(`${path}/statuses/${sha}`, { state: 'success', context: 'x' }, { ...status, label: `${path}/statuses/${sha.replace(first.sha.slice(0, 8), '{short}')}` });
  for (const query of ['state=x', 'sort=x', 'sort=oldest', 'sort=recentupdate', 'limit=0', 'limit=1', 'page=0', 'page=9', 'limit=x']) await alice.get(`${statuses}?${query}`, { body: (all) => all.length });
  for (const ref of ['v1', 'HEAD', 'zzz', 'refs/heads/main', '%20']) { await alice.get(`${path}/commits/${ref}/status`, { body: ({ state, total_count }) => ({ state, total_count }) }); await alice.get(`${path}/commits/${ref}/statuses`, { body: (all) => all.length }); }
  await alice.get(`${path}/commits/main/status?limit=1&page=2`, { body: ({ state, total_count, statuses: all }) => ({ state, total_count, shown: all.length }) });

  // Releases
  const releases = `${path}/releases`;
  const release = { body: ({ tag_name, target_commitish, name, body, draft, prerelease, assets }) => ({ tag_name, target_commitish, name, body, draft, prerelease, assets: assets.length }) };
  for (const [label, body] of Object.entries({
    nothing: {}, 'an empty tag': { tag_name: '' }, 'a number': { tag_name: 1 }, 'an existing tag': { tag_name: 'v1' }, again: { tag_name: 'v1', name: 'again' }, 'a new tag': { tag_name: 'n1', target_commitish: 'main' }, 'an id': { tag_name: 'n2', target_commitish: first.sha }, 'an empty target': { tag_name: 'n3', target_commitish: '' }, 'a tag as target': { tag_name: 'n4', target_commitish: 'v1' }, 'a missing target': { tag_name: 'n5', target_commitish: 'missing' }, 'a draft of nothing': { tag_name: 'd1', draft: true, target_commitish: 'missing' }, 'a draft': { tag_name: 'd2', draft: true }, 'the same draft': { tag_name: 'd2', draft: true }, 'a prerelease': { tag_name: 'p1', prerelease: true }, 'a message': { tag_name: 'm1', tag_message: 'Message', name: 'N', body: 'B' }, 'a text for draft': { tag_name: 'x1', draft: 'x' }, 'a long name': { tag_name: 'l1', name: 'n'.repeat(256) }, 'a name of a branch': { tag_name: 'main' }, 'letters beyond ASCII': { tag_name: 'ü1' },
  })) await alice.post(releases, body, { ...release, label: `${releases}: ${label}` });
  const list = { body: (all) => all.map(({ tag_name, draft, prerelease }) => `${tag_name} ${draft} ${prerelease}`).sort() };
  for (const query of ['', 'draft=true', 'draft=false', 'draft=x', 'pre-release=true', 'pre-release=false', 'draft=true&pre-release=true', 'q=n1', 'per_page=1', 'limit=0', 'limit=2&page=2', 'page=x']) await alice.get(`${releases}?${query}`, { body: query.includes('limit') || query.includes('page') ? (all) => all.length : list.body });
  await bob.get(releases, list); await t.anonymous.get(`${releases}?draft=true`, list);
  for (const tag of ['v1', 'V1', 'd2', 'missing', '%C3%BC1', 'main', '%20']) await alice.get(`${releases}/tags/${tag}`, release);
  await alice.get(`${releases}/latest`, { body: 'ignore' });
  const { id } = await alice.must('GET', `${releases}/tags/n1`);
  for (const [label, body] of Object.entries({ nothing: {}, 'an empty tag': { tag_name: '' }, 'a target': { target_commitish: 'missing' }, 'an empty name': { name: '' }, 'an empty body': { body: '' }, 'null': { draft: null }, 'a draft': { draft: true }, 'published': { draft: false }, 'a text': { prerelease: 'x' } })) await alice.patch(`${releases}/${id}`, body, { ...release, label: `${releases}/{id}: ${label}` });
  for (const each of ['0', 'x', '-1', '99999999']) { await alice.get(`${releases}/${each}`); await alice.patch(`${releases}/${each}`, {}); await alice.delete(`${releases}/${each}`); await alice.get(`${releases}/${each}/assets`); await alice.get(`${releases}/${id}/assets/${each}`, { label: `${releases}/{id}/assets/${each}` }); }
  for (const [label, options] of Object.entries({ 'an empty file': { form: { attachment: { content: '', filename: 'e.txt' } } }, 'another type': { raw: 'x', type: 'text/plain' }, 'json': { json: { attachment: 'x' } }, 'a file': { form: { attachment: { content: 'x', filename: 'a/b.txt' } } } })) await alice.request('POST', `${releases}/${id}/assets`, { ...options, body: ({ name, size, type }) => ({ name, size, type }), label: `${releases}/{id}/assets: ${label}` });
  await alice.request('POST', `${releases}/${id}/assets?name=named.bin`, { raw: 'bytes', type: 'application/octet-stream', body: ({ name, size }) => ({ name, size }), label: `${releases}/{id}/assets?name` });
  await alice.request('POST', `${releases}/${id}/assets`, { raw: 'bytes', type: 'application/octet-stream', body: ({ name, size }) => ({ name, size }), label: `${releases}/{id}/assets without a name` });
  await alice.delete(`${releases}/tags/missing`); await alice.delete(`${releases}/tags/p1`); await alice.get(`${path}/tags/p1`, { body: ({ name }) => name });

  // Wiki
  const wiki = `${path}/wiki`;
  const text = (content) => Buffer.from(content).toString('base64');
  const page = { body: ({ title, sub_url, commit_count, content_base64, sidebar, footer }) => ({ title, sub_url, commit_count, content_base64, sidebar, footer }) };
  await alice.get(`${wiki}/pages`); await alice.get(`${wiki}/page/Home`); await alice.get(`${wiki}/revisions/Home`);
  for (const [label, body] of Object.entries({ 'no content': { title: 'Empty' }, 'no base64': { title: 'Odd', content_base64: '%' }, 'a page': { title: 'Home', content_base64: text('home\n') }, again: { title: 'Home', content_base64: text('x') }, 'another case': { title: 'home', content_base64: text('x') }, 'a slash': { title: 'a/b', content_base64: text('x') }, 'an encoded slash': { title: 'a%2Fb', content_base64: text('x') }, 'dots': { title: '..', content_base64: text('x') }, 'a blank and a dash': { title: 'A b-c', content_base64: text('x') }, 'an ending': { title: 'x.md', content_base64: text('x') }, 'reserved': { title: '_pages', content_base64: text('x') }, 'edit': { title: '_edit', content_base64: text('x') }, 'a sidebar': { title: '_Sidebar', content_base64: text('side') }, 'letters beyond ASCII': { title: 'Ünï', content_base64: text('x') }, 'a number': { title: 1 }, 'a question mark': { title: 'a?b#c', content_base64: text('x') }, 'a message': { title: 'M', content_base64: text('x'), message: 'made' } })) await alice.post(`${wiki}/new`, body, { ...page, label: `${wiki}/new: ${label}` });
  await alice.get(`${wiki}/pages`, { body: (all) => all.map(({ title, sub_url }) => `${title} ${sub_url}`) });
  for (const query of ['limit=1', 'limit=0', 'page=0', 'page=9', 'limit=x']) await alice.get(`${wiki}/pages?${query}`, { body: (all) => all.length });
  for (const name of ['Home', 'home', 'Home.md', 'a%2Fb', 'A-b-c', 'A%20b-c', 'A%2Bb', '_Sidebar', '%C3%9Cn%C3%AF', 'missing', '..', '%20', 'x.md']) { await alice.get(`${wiki}/page/${name}`, page); await alice.get(`${wiki}/revisions/${name}`, { body: ({ count, commits }) => ({ count, length: commits.length }) }); }
  for (const [label, body] of Object.entries({ 'a title': { title: 'Start', content_base64: text('start') }, 'no base64': { title: 'Start', content_base64: '%' }, 'a number': { title: 1 } })) { await alice.patch(`${wiki}/page/Home`, body, { ...page, label: `${wiki}/page/Home: ${label}` }); await alice.patch(`${wiki}/page/Start`, body, { ...page, label: `${wiki}/page/Start: ${label}` }); }
  await alice.delete(`${wiki}/page/missing`); await alice.delete(`${wiki}/page/M`); await alice.delete(`${wiki}/page/M`);
  for (const query of ['page=0', 'page=9', 'page=x', 'limit=1']) await alice.get(`${wiki}/revisions/Start?${query}`, { body: ({ count, commits }) => ({ count, length: commits?.length }) });
  await bob.post(`${wiki}/new`, { title: 'B', content_base64: text('x') }); await t.anonymous.post(`${wiki}/new`, {}); await bob.delete(`${wiki}/page/Start`);
  await alice.must('PATCH', path, { has_wiki: false });
  await alice.get(`${wiki}/pages`); await alice.post(`${wiki}/new`, { title: 'x' });
  await alice.must('PATCH', path, { has_releases: false });
  await alice.post(releases, { tag_name: 'x' });
}
