// Branches, tags and git data: unusual names, bodies, types and parameters.
export default async function (t) {
  const [alice, writer] = await Promise.all(['alice', 'writer'].map((name) => t.user(name)));
  await alice.repo('demo', { auto_init: false });
  const repo = `${alice.name}/demo`;
  const path = `/repos/${repo}`;
  await alice.must('PUT', `${path}/collaborators/${writer.name}`, { permission: 'write' });
  const first = await alice.push(repo, { files: { 'a.txt': '1\n', 'dir/b.txt': 'b\n' }, message: 'First', date: '2024-01-01T12:00:00+00:00', tag: 'v1' });
  t.name(first.sha, 'first');
  const second = await alice.push(repo, { files: { 'a.txt': '2\n' }, message: 'Second\n\nbody', date: '2024-01-02T12:00:00+00:00' });
  t.name(second.sha, 'second');
  await t.eventually(() => alice.send('GET', `${path}/tags/v1`), ({ status }) => status === 200);
  const brief = { body: ({ name, commit, id }) => ({ name, id: commit?.id ?? commit?.sha ?? id }) };

  // Branches
  for (const [label, body] of Object.entries({
    'both old names': { new_branch_name: 'b1', old_branch_name: 'missing', old_ref_name: 'main' },
    'an empty old name': { new_branch_name: 'b2', old_branch_name: '' },
    'an empty old ref': { new_branch_name: 'b3', old_ref_name: '' },
    'a whole ref': { new_branch_name: 'b5', old_ref_name: 'refs/heads/main' },
    'a whole tag': { new_branch_name: 'b6', old_ref_name: 'refs/tags/v1' },
    'a whole name': { new_branch_name: 'refs/heads/b7' },
    'a short id': { new_branch_name: 'b8', old_ref_name: first.sha.slice(0, 10) },
    'HEAD as source': { new_branch_name: 'b9', old_ref_name: 'HEAD' },
    'a name like an id': { new_branch_name: first.sha },
    'a lock': { new_branch_name: 'x.lock' },
    'a dot': { new_branch_name: '.x' },
    'a last dot': { new_branch_name: 'x.' },
    'a slash': { new_branch_name: '/x' },
    'a last slash': { new_branch_name: 'x/' },
    'two slashes': { new_branch_name: 'x//y' },
    'an at sign': { new_branch_name: '@' },
    'at and brace': { new_branch_name: 'x@{1}' },
    'a colon': { new_branch_name: 'x:y' },
    'a tilde': { new_branch_name: 'x~1' },
    'a star': { new_branch_name: 'x*' },
    'letters beyond ASCII': { new_branch_name: 'zweig-ü' },
    'blanks around': { new_branch_name: ' b10 ' },
    'another case': { new_branch_name: 'MAIN' },
    'a number': { new_branch_name: 1 },
    'null': { new_branch_name: null },
    'a list': { new_branch_name: ['x'] },
    'a hundred signs': { new_branch_name: 'h'.repeat(100) },
  })) await alice.post(`${path}/branches`, body, { ...brief, label: `${path}/branches: ${label}` });
  await alice.get(`${path}/branches`, { body: (all) => all.map(({ name }) => name) });
  for (const name of ['zweig-%C3%BC', 'refs%2Fheads%2Fmain', 'v1', first.sha, '..', 'MAIN', '%20']) await alice.get(`${path}/branches/${name}`, brief);
  for (const [label, body] of Object.entries({ 'a number': { name: 1 }, null: { name: null }, empty: { name: '' }, 'two dots': { name: 'a..b' }, 'the same': { name: 'b1' }, 'a whole ref': { name: 'refs/heads/x' }, 'a tag': { name: 'v1' } })) await alice.patch(`${path}/branches/b1`, body, { label: `${path}/branches/b1: ${label}` });
  for (const [label, body] of Object.entries({ 'an empty id': { new_commit_id: '' }, 'a short id': { new_commit_id: first.sha.slice(0, 8), force: true }, 'a text for force': { new_commit_id: second.sha, force: 'yes' } })) await alice.put(`${path}/branches/b2`, body, { label: `${path}/branches/b2: ${label}` });
  for (const query of ['page=0', 'page=-1', 'limit=0', 'limit=-1', 'limit=x', 'page=x', 'limit=1&page=2', 'limit=1000']) await alice.get(`${path}/branches?${query}`, { body: (all) => all.length });
  for (const name of ['refs%2Fheads%2Fb3', 'v1', 'zweig-%C3%BC']) await alice.delete(`${path}/branches/${name}`);

  // Tags
  for (const [label, body] of Object.entries({
    'a message': { tag_name: 't1', message: 'm' }, 'an empty message': { tag_name: 't2', message: '' }, 'an empty target': { tag_name: 't3', target: '' },
    'a whole ref': { tag_name: 't4', target: 'refs/heads/main' }, 'a short id': { tag_name: 't5', target: first.sha.slice(0, 8) }, 'HEAD': { tag_name: 't6', target: 'HEAD' },
    'a name of a branch': { tag_name: 'main' }, 'a whole name': { tag_name: 'refs/tags/t7' },
    'a number': { tag_name: 1 }, 'null': { tag_name: null }, 'a number for the message': { tag_name: 't8', message: 1 }, 'letters beyond ASCII': { tag_name: 'ü' },
  })) await alice.post(`${path}/tags`, body, { body: ({ name, message, commit }) => ({ name, message, commit: commit.sha }), label: `${path}/tags: ${label}` });
  for (const query of ['page=0', 'page=-1', 'limit=0', 'limit=x', 'limit=2', 'limit=2&page=2', 'limit=1000', 'q=v', 'page=99']) await alice.get(`${path}/tags?${query}`, { body: (all) => all.length });
  for (const name of ['%C3%BC', 'refs%2Ftags%2Fv1', 'main', 'HEAD', '%20', 'V1']) await alice.get(`${path}/tags/${name}`, { body: ({ name: each }) => each });
  for (const name of ['refs%2Ftags%2Fv1', 'main', '%C3%BC', '%20']) await alice.delete(`${path}/tags/${name}`);

  // Refs
  const refs = { body: (all) => [all].flat().map(({ ref, object }) => `${ref} ${object.type}`).sort() };
  for (const name of ['', '/heads', '/heads/', '/heads/main', '/heads/b', '/tags', '/tags/t1', '/tags/t', '/main', '/refs/heads/main', '/pull', '/heads%2Fmain', '/HEAD', '/heads/missing', '/..', '/heads/..', '/%20']) await alice.get(`${path}/git/refs${name}`, refs);

  // Commits, trees, blobs, tags, notes
  const commit = { body: ({ sha, files, stats, commit: { message, verification } = {} }) => ({ sha, message, files: files?.length, stats: stats !== undefined && stats !== null, verification: verification !== undefined && verification !== null }) };
  for (const name of [first.sha, first.sha.slice(0, 7), first.sha.slice(0, 3), 'main', 'v1', 'HEAD', 'HEAD~1', 'zzz', '0'.repeat(40), `${first.sha}0`, first.sha.toUpperCase(), '%20', 'main:a.txt']) await alice.get(`${path}/git/commits/${name}`, { ...commit, label: `${path}/git/commits/${name.replaceAll(first.sha.slice(0, 7), '{short}')}` });
  for (const query of ['stat=false', 'verification=false', 'files=false', 'stat=false&verification=false&files=false', 'stat=x', 'stat=0', 'stat=']) await alice.get(`${path}/git/commits/${second.sha}?${query}`, commit);
  for (const name of [`${second.sha}.diff`, `${second.sha}.patch`, `${second.sha}.txt`, 'main.diff']) await alice.get(`${path}/git/commits/${name}`, { body: 'size' });
  const tree = { body: ({ tree: all, truncated, page, total_count, sha }) => ({ tree: all?.map(({ path: each, mode, type, size }) => `${each} ${mode} ${type} ${size}`), truncated, page, total_count, hasSha: Boolean(sha) }) };
  for (const name of ['main', 'main?recursive=true', 'main?recursive=1', 'main?recursive=false', 'main?recursive=x', 'main?per_page=1', 'main?per_page=1&page=2', 'main?per_page=0', 'main?per_page=-1', 'main?page=9', 'main?page=0', 'main?per_page=99999', 'v1', 'main:dir', 'HEAD', first.sha, 'zzz', '0'.repeat(40), 'main%2F', '%20', 't1']) await alice.get(`${path}/git/trees/${name}`, tree);
  const { tree: entries } = await alice.must('GET', `${path}/git/trees/main`);
  const blob = entries.find(({ path: each }) => each === 'a.txt').sha;
  const folder = entries.find(({ path: each }) => each === 'dir').sha;
  t.name(blob, 'blob'); t.name(folder, 'folder');
  for (const name of [blob, blob.slice(0, 8), 'main', 'zzz', '0'.repeat(40)]) await alice.get(`${path}/git/blobs/${name}`, { label: `${path}/git/blobs/${name.replace(blob.slice(0, 8), '{short}')}` });
  for (const name of [folder, blob]) await alice.get(`${path}/git/trees/${name}`, tree);
  for (const name of [first.sha, blob, 'zzz', '0'.repeat(40), 'v1', 't1']) await alice.get(`${path}/git/tags/${name}`, { body: 'ignore' });
  for (const name of [first.sha, 'main', 'zzz', '0'.repeat(40)]) await alice.get(`${path}/git/notes/${name}`);

  // Commits in a list
  const list = { body: (all) => all.map(({ sha, files, stats, commit: { verification } }) => ({ sha, files: files?.length, stats: Boolean(stats), verification: Boolean(verification) })) };
  for (const query of ['sha=v1', 'sha=', 'sha=zzz', `sha=${first.sha}`, `sha=${first.sha.slice(0, 8)}`, 'sha=HEAD', 'sha=refs/heads/main', 'path=dir', 'path=missing', 'path=', 'path=./a.txt', 'path=dir&stat=false', 'stat=false', 'verification=false', 'files=false', 'not=v1', `not=${first.sha}`, 'not=main', 'limit=0', 'limit=-1', 'limit=1', 'limit=1&page=2', 'page=0', 'page=-1', 'page=99', 'limit=x', 'since=2024-01-02T00:00:00Z', 'until=2024-01-01T23:00:00Z', 'since=x', 'until=x', 'since=2024-01-02', 'since=2024-01-01T00:00:00Z&until=2024-01-01T23:00:00Z&path=a.txt', 'path=a.txt&not=v1', 'path=a.txt&limit=1', 'path=a.txt&limit=1&page=2', 'sha=main&path=dir/b.txt&since=2024-01-01T00:00:00Z']) await alice.get(`${path}/commits?${query}`, { ...list, label: `${path}/commits?${query.replace(first.sha.slice(0, 8), '{short}')}` });

  // Comparisons
  const compared = { body: ({ total_commits, commits, files }) => ({ total_commits, commits: commits.map(({ sha }) => sha), files: files?.map(({ filename, status }) => `${filename} ${status}`) }) };
  for (const pair of ['v1...main', 'main...v1', 'v1..main', 'main', 'main...main', 'main...', '...main', '...', 'v1...zzz', `${first.sha}...${second.sha}`, `${first.sha.slice(0, 8)}...main`, 'main...HEAD', `main...${alice.name}:main`, `main...${writer.name}:main`, 'main...nobody-at-all:main', `main...${alice.name}/demo:v1`, 'v1...main...x', 'refs/tags/v1...main', 'v1%2E%2E%2Emain']) await alice.get(`${path}/compare/${pair}`, { ...compared, label: `${path}/compare/${pair.replaceAll(first.sha.slice(0, 8), '{short}')}` });
}
