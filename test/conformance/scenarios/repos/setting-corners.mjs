// Repositories and what belongs to them: unusual bodies, types and parameters.
export default async function (t) {
  const [alice, bob, carol] = await Promise.all(['alice', 'bob', 'carol'].map((name) => t.user(name)));
  const org = await t.org(alice, 'org');
  await alice.repo('demo', { auto_init: false });
  const repo = `${alice.name}/demo`;
  const path = `/repos/${repo}`;
  const first = await alice.push(repo, { files: { 'a.txt': '1\n' }, message: 'First', date: '2024-01-01T12:00:00+00:00', tag: 'v1' });
  t.name(first.sha, 'first');
  const brief = { body: (r) => ({ name: r.name, description: r.description, website: r.website, private: r.private, default_branch: r.default_branch, archived: r.archived, template: r.template, empty: r.empty, internal: r.internal, object_format_name: r.object_format_name, trust: r.trust_model, merges: r.allow_merge_commits, style: r.default_merge_style, autodetect: r.default_allow_maintainer_edit, topics: r.topics }) };

  // Create
  let n = 0;
  for (const [label, body] of Object.entries({
    'a number for the name': { name: 1 }, 'a null name': { name: null }, 'blanks': { name: ' ' }, 'a slash': { name: 'a/b' }, 'letters beyond ASCII': { name: 'ü' }, 'a hundred': { name: 'r'.repeat(100) }, 'more': { name: 'r'.repeat(101) }, '.git': { name: 'x.git' }, '.wiki': { name: 'x.wiki' }, '.rss': { name: 'x.rss' }, 'a dot': { name: '.' }, 'a dash': { name: '-' }, 'begins with a dot': { name: '.x' }, 'a long description': { description: 'd'.repeat(2049) }, 'a text for private': { private: 'yes' }, 'two gitignores': { auto_init: true, gitignores: 'Go,Python' }, 'an unknown readme': { auto_init: true, readme: 'Nonsense' }, 'unknown labels': { issue_labels: 'Nonsense' }, 'labels': { issue_labels: 'Default' }, 'a trust model': { trust_model: 'committer' }, 'an unknown trust model': { trust_model: 'x' }, 'an object format': { object_format_name: 'sha1' }, 'a branch': { auto_init: true, default_branch: 'trunk' }, 'a bad branch': { auto_init: true, default_branch: 'a..b' }, 'a branch beyond limits': { auto_init: true, default_branch: 'b'.repeat(101) }, 'a template': { template: true }, 'a license without a start': { license: 'MIT' },
  })) await bob.post('/user/repos', { name: `made-${++n}`, ...body }, { ...brief, label: `/user/repos: ${label}` });
  await bob.request('POST', '/user/repos', { raw: '[]', type: 'application/json' });
  await bob.request('POST', '/user/repos', { raw: '{"name":"x"', type: 'application/json' });
  await bob.request('POST', '/user/repos', { raw: 'name=form1', type: 'application/x-www-form-urlencoded', ...brief });
  await bob.post(`/orgs/${org}/repos`, { name: 'x' });
  await bob.post('/orgs/nobody-at-all/repos', { name: 'x' });
  await alice.post(`/orgs/${org}/repos`, {});
  await t.admin.post(`/admin/users/${bob.name}/repos`, { name: 'by-admin' }, brief);
  await t.admin.post('/admin/users/nobody-at-all/repos', { name: 'x' });
  await t.admin.post(`/admin/users/${org}/repos`, { name: 'in-org' }, brief);

  // Edit
  for (const [label, body] of Object.entries({
    nothing: {}, 'a null name': { name: null }, 'an empty name': { name: '' }, 'a bad name': { name: 'a b' }, 'a text for private': { private: 'x' }, 'a number for the description': { description: 1 }, 'an empty description': { description: '' }, 'a long description': { description: 'd'.repeat(2049) }, 'a website': { website: 'https://example.com/ä?x=1' }, 'no website': { website: 'nonsense' }, 'a script': { website: 'javascript:alert(1)' }, 'an empty website': { website: '' }, 'a long website': { website: `https://example.com/${'w'.repeat(1024)}` }, 'a missing branch': { default_branch: 'missing' }, 'an empty branch': { default_branch: '' }, 'a tag': { default_branch: 'v1' }, 'an unknown style': { default_merge_style: 'x' }, 'a style that is off': { allow_squash_merge: false, default_merge_style: 'squash' }, 'all off': { allow_merge_commits: false, allow_rebase: false, allow_rebase_explicit: false, allow_squash_merge: false, allow_fast_forward_only_merge: false }, 'a mirror interval': { mirror_interval: '1h' }, 'a bad mirror interval': { mirror_interval: 'x' }, 'prune': { enable_prune: true }, 'both trackers': { has_issues: true, external_tracker: { external_tracker_url: 'https://example.com', external_tracker_format: 'x' }, internal_tracker: { enable_time_tracker: true } }, 'projects mode': { has_projects: true, projects_mode: 'x' }, 'projects of the owner': { projects_mode: 'owner' }, 'a template': { template: true }, 'a text for archived': { archived: 'x' }, internal: { internal: true }, 'unknown': { unknown: 1 }, 'the same name': { name: 'demo' }, 'another case': { name: 'DEMO' },
  })) await alice.patch(path, body, { ...brief, label: `${path}: ${label}` });
  await alice.request('PATCH', path, { raw: '', type: 'application/json', ...brief });
  await bob.patch(path, { description: 'x' });

  // Topics
  const topics = `${path}/topics`;
  for (const body of [{}, { topics: null }, { topics: 'x' }, { topics: [1] }, { topics: [] }, { topics: [''] }, { topics: ['a', 'a', 'A'] }, { topics: Array.from({ length: 26 }, (_, i) => `t${i}`) }, { topics: ['-x'] }, { topics: ['x'.repeat(35)] }, { topics: ['x'.repeat(36)] }]) await alice.put(topics, body, { label: `${topics}: ${JSON.stringify(body).slice(0, 40)}` });
  await alice.put(`${topics}/%20`); await alice.delete(`${topics}/%20`);
  await alice.get(`/topics/search?q=x${t.run}`, { body: ({ topics: all }) => Array.isArray(all) });

  // Collaborators
  const others = `${path}/collaborators`;
  for (const [label, body] of Object.entries({ nothing: {}, 'no body': undefined, number: { permission: 1 } })) { await alice.put(`${others}/${bob.name}`, body, { label: `${others}: ${label}` }); await alice.get(`${others}/${bob.name}/permission`, { body: ({ permission, role_name }) => ({ permission, role_name }), label: `${others}: permission after ${label}` }); }
  for (const name of [alice.name, 'nobody-at-all', '%20']) { await alice.put(`${others}/${name}`, { permission: 'read' }); await alice.get(`${others}/${name}`); await alice.get(`${others}/${name}/permission`, { body: ({ permission }) => permission }); }
  for (const query of ['limit=1', 'limit=0', 'page=0', 'page=9', 'limit=x']) await alice.get(`${others}?${query}`, { body: (all) => all.length });
  for (const name of [carol.name, alice.name, 'nobody-at-all', bob.name]) await alice.delete(`${others}/${name}`);
  await bob.get(`${others}/${alice.name}/permission`);
  await t.anonymous.get(others);

  // Deploy keys
  for (const body of [{}, { title: 'x' }, { key: 'x' }, { title: '', key: '' }, { title: 'x', key: 'nonsense' }, { title: 'x', key: 1 }, { title: 't'.repeat(51), key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl' }]) await alice.post(`${path}/keys`, body, { body: ({ title, read_only }) => ({ title, read_only }), label: `${path}/keys: ${JSON.stringify(body).slice(0, 60)}` });
  for (const id of ['0', '-1', 'x', '99999999', '9223372036854775808']) { await alice.get(`${path}/keys/${id}`); await alice.delete(`${path}/keys/${id}`); }
  for (const query of ['fingerprint=x', 'key_id=x', 'limit=0']) await alice.get(`${path}/keys?${query}`, { body: (all) => all.length });

  // Hooks
  const hook = { body: ({ type, events, active, config, branch_filter, authorization_header, name }) => ({ type, events, active, config, branch_filter, authorization_header, name }) };
  const config = { url: 'http://127.0.0.1:9/x', content_type: 'json' };
  for (const [label, body] of Object.entries({
    nothing: {}, 'no config': { type: 'gitea' }, 'no url': { type: 'gitea', config: { content_type: 'json' } }, 'an empty url': { type: 'gitea', config: { ...config, url: '' } }, 'no address': { type: 'gitea', config: { ...config, url: 'nonsense' } }, 'another scheme': { type: 'gitea', config: { ...config, url: 'ftp://127.0.0.1/x' } }, 'no content type': { type: 'gitea', config: { url: config.url } }, 'an unknown content type': { type: 'gitea', config: { ...config, content_type: 'xml' } }, 'an unknown type': { type: 'x', config }, 'unknown events': { type: 'gitea', config, events: ['x'] }, 'no events': { type: 'gitea', config, events: [] }, 'some events': { type: 'gitea', config, events: ['push', 'issues', 'pull_request', 'release', 'x'] }, 'a method': { type: 'gitea', config: { ...config, http_method: 'PUT' } }, 'a branch filter': { type: 'gitea', config, branch_filter: '{main,x*}' }, 'a bad filter': { type: 'gitea', config, branch_filter: '[' }, 'active': { type: 'gitea', config, active: true }, 'a header': { type: 'gitea', config, authorization_header: 'Bearer x' }, 'a secret': { type: 'gitea', config: { ...config, secret: 's' } }, 'slack without channel': { type: 'slack', config }, 'slack': { type: 'slack', config: { ...config, channel: '#x', username: 'u', icon_url: 'i', color: '#fff' } }, 'a number in config': { type: 'gitea', config: { ...config, secret: 1 } }, 'a name': { type: 'gitea', config, name: 'n' },
  })) await alice.post(`${path}/hooks`, body, { ...hook, label: `${path}/hooks: ${label}` });
  const { id } = await alice.must('POST', `${path}/hooks`, { type: 'gitea', config, active: true, events: ['push'], branch_filter: 'x' });
  for (const [label, body] of Object.entries({ nothing: {}, 'no events': { events: [] }, 'a url': { config: { url: 'http://127.0.0.1:9/y' } }, 'no address': { config: { url: 'x' } }, 'a content type': { config: { content_type: 'form' } }, 'an unknown content type': { config: { content_type: 'x' } }, 'inactive': { active: false }, 'a filter': { branch_filter: '' }, 'events': { events: ['wiki', 'package'] }, 'a text for active': { active: 'x' } })) await alice.patch(`${path}/hooks/${id}`, body, { ...hook, label: `${path}/hooks/{id}: ${label}` });
  for (const each of ['0', 'x', '99999999']) { await alice.get(`${path}/hooks/${each}`); await alice.patch(`${path}/hooks/${each}`, {}); await alice.delete(`${path}/hooks/${each}`); await alice.post(`${path}/hooks/${each}/tests`); }
  await alice.post(`${path}/hooks/${id}/tests?ref=missing`, undefined, { label: `${path}/hooks/{id}/tests?ref=missing` });
  await bob.get(`${path}/hooks`);

  // Transfer, forks, templates, avatars
  for (const [label, body] of Object.entries({ nothing: {}, 'an unknown owner': { new_owner: 'nobody-at-all' }, oneself: { new_owner: alice.name }, 'a number': { new_owner: 1 }, 'unknown teams': { new_owner: org, team_ids: [99999999] }, 'teams of a user': { new_owner: carol.name, team_ids: [1] } })) await alice.post(`${path}/transfer`, body, { body: ({ full_name, owner }) => ({ full_name, owner: owner.login }), label: `${path}/transfer: ${label}` });
  await alice.post(`${path}/transfer/accept`); await carol.post(`${path}/transfer/reject`, undefined, { body: ({ full_name }) => full_name }); await bob.post(`${path}/transfer/reject`);
  for (const [label, body] of Object.entries({ 'an unknown organization': { organization: 'nobody-at-all' }, "another's": { organization: org }, 'a user': { organization: carol.name }, 'a name': { name: 'forked' }, again: {}, 'a number': { name: 1 } })) await bob.post(`${path}/forks`, body, { body: ({ full_name, fork }) => ({ full_name, fork }), label: `${path}/forks: ${label}` });
  for (const query of ['limit=0', 'limit=x', 'page=9']) await alice.get(`${path}/forks?${query}`, { body: (all) => all.length });
  await alice.post(`${path}/forks`, {}); await t.anonymous.post(`${path}/forks`, {});
  for (const [label, body] of Object.entries({ nothing: {}, 'no owner': { name: 'g1', git_content: true }, 'no name': { owner: bob.name }, 'no content': { owner: bob.name, name: 'g2' }, 'an unknown owner': { owner: 'nobody-at-all', name: 'g3', git_content: true }, "another's": { owner: carol.name, name: 'g4', git_content: true }, 'an organization': { owner: org, name: 'g5', git_content: true }, content: { owner: bob.name, name: 'g6', git_content: true, topics: true, labels: true, avatar: true, description: 'g', private: true }, again: { owner: bob.name, name: 'g6', git_content: true }, 'a bad name': { owner: bob.name, name: 'a b', git_content: true } })) await bob.post(`${path}/generate`, body, { ...brief, label: `${path}/generate: ${label}` });
  for (const image of [undefined, '', 'x', 1]) await alice.post(`${path}/avatar`, { image }, { label: `${path}/avatar: ${image}` });
  await alice.delete(`${path}/avatar`); await alice.delete(`${path}/avatar`);

  // Lists of people
  for (const list of ['stargazers', 'subscribers', 'assignees', 'reviewers', 'teams', 'forks', 'activities/feeds', 'times', 'tracked_times', 'issue_templates', 'issue_config', 'new_pin_allowed', 'signing-key.gpg', 'signing-key.pub', 'languages', 'licenses', 'missing']) await alice.get(`${path}/${list}?limit=1`, { body: 'ignore' });
  for (const query of ['limit=0', 'limit=-1', 'page=x', 'date=x', 'date=2024-01-01']) await alice.get(`${path}/activities/feeds?${query}`, { body: 'ignore' });
  await alice.put(`${path}/subscription`, { ignored: true }, { body: ({ subscribed, ignored }) => ({ subscribed, ignored }) });
  await alice.delete(`${path}/subscription`); await alice.delete(`${path}/subscription`); await alice.get(`${path}/subscription`);
  for (const method of ['GET', 'PUT', 'DELETE']) { await alice.request(method, '/user/starred/nobody/nothing'); await alice.request(method, `/user/starred/${repo}`); }
  await alice.get('/repositories/0'); await alice.get('/repositories/x'); await alice.get('/repositories/99999999');
}
