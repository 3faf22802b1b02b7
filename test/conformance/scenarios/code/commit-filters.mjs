// Listing commits by every filter, comparing in every form, and notes, trees, blobs, refs by short and long names.
export default async function (t) {
  const alice = await t.user('alice');
  const bob = await t.user('bob');
  await alice.repo('demo');
  const name = `${alice.name}/demo`;
  const repo = `/repos/${name}`;
  const shas = [];
  for (let i = 1; i <= 5; i++) shas.push(t.name((await alice.push(name, { files: { [i % 2 ? 'odd.txt' : 'dir/even.txt']: `${i}\n` }, message: `Commit ${i}`, date: `2024-0${i}-01T00:00:00Z` })).sha, `commit ${i}`));
  await alice.push(name, { branch: 'topic', from: 'main', files: { 'topic.txt': 't\n' }, message: 'Topic', date: '2024-06-01T00:00:00Z', tag: 'v1' });
  const list = { body: (all) => all.map(({ commit, files, stats, commit: { verification } }) => [commit.message.trim(), files && files.map(({ filename }) => filename), stats?.total, verification ? 'verification' : verification]) };
  for (const query of ['', 'sha=topic', 'sha=v1', `sha=${shas[2]}`, 'sha=nothing', 'sha=', 'sha=refs/heads/topic', 'path=odd.txt', 'path=dir', 'path=dir/', 'path=nothing.txt', 'path=odd.txt&sha=topic&limit=1', 'path=odd.txt&limit=1&page=2', 'since=2024-03-01T00:00:00Z', 'until=2024-03-01T00:00:00Z', 'since=2024-02-01T00:00:00Z&until=2024-04-01T00:00:00Z', 'since=soon', 'until=soon', 'not=main&sha=topic', 'not=topic', `not=${shas[1]}&sha=main`, 'stat=false', 'files=false', 'verification=false', 'stat=false&files=false&verification=false', 'limit=2', 'limit=2&page=2', 'limit=2&page=4', 'limit=2&page=9', 'limit=0', 'limit=-1', 'page=0', 'limit=1000&page=1', 'path=odd.txt&since=2024-02-15T00:00:00Z']) await alice.get(`${repo}/commits?${query}`, list);
  for (const range of ['main...topic', 'main..topic', 'topic...main', 'main...main', 'v1...main', `${shas[0]}...${shas[3]}`, `${shas[0]}..${shas[3]}`, 'main', 'main...', '...topic', 'main...nothing', 'nothing...main', `main...${alice.name}:topic`, `main...nobody:topic`, `${alice.name}:main...topic`, 'topic^...topic', 'HEAD...topic']) await alice.get(`${repo}/compare/${range}`, { body: ({ total_commits, commits, files }) => ({ total_commits, commits: commits.map(({ commit }) => commit.message.trim()), files: files?.map(({ filename, status }) => [filename, status]) }) });
  await bob.must('POST', `${repo}/forks`, { name: 'forked' });
  await bob.push(`${bob.name}/forked`, { branch: 'theirs', from: 'main', files: { 'theirs.txt': 'x\n' }, message: 'Theirs' });
  for (const range of [`main...${bob.name}:theirs`, `main...${bob.name}/forked:theirs`, `topic...${bob.name}:theirs`, `main...${bob.name}:nothing`]) await alice.get(`${repo}/compare/${range}`, { body: ({ total_commits, commits }) => ({ total_commits, commits: commits.map(({ commit }) => commit.message.trim()) }) });
  await bob.get(`/repos/${bob.name}/forked/compare/${alice.name}:main...theirs`, { body: ({ total_commits }) => total_commits });
  const body = { body: ({ sha, commit, files, stats }) => ({ sha, message: commit.message, files: files && files.length, stats }) };
  for (const ref of ['main', 'topic', 'v1', shas[0], 'HEAD', 'nothing', 'refs/heads/main', 'f'.repeat(40), 'main~1']) await alice.get(`${repo}/git/commits/${ref}?stat=true`, body);
  await alice.get(`${repo}/git/commits/${shas[0].slice(0, 8)}`, { ...body, label: `${repo}/git/commits/{short}` });
  for (const query of ['stat=false', 'files=false', 'verification=false']) await alice.get(`${repo}/git/commits/${shas[0]}?${query}`);
  for (const ref of ['', 'heads', 'heads/main', 'heads/top', 'tags', 'tags/v', 'tags/v1', 'heads/nothing', 'pull', 'main']) await alice.get(`${repo}/git/refs/${ref}`);
  await alice.get(`${repo}/git/refs`);
  for (const tree of ['main', 'topic', 'v1', shas[0], 'nothing', 'f'.repeat(40)]) await alice.get(`${repo}/git/trees/${tree}`, { body: ({ tree: entries, truncated, total_count, page }) => ({ entries: entries?.map(({ path, mode, type, size }) => [path, mode, type, size]), truncated, total_count, page }) });
  for (const query of ['recursive=true', 'recursive=1', 'recursive=false', 'recursive=true&per_page=2', 'recursive=true&per_page=2&page=2', 'per_page=1&page=99', 'per_page=0', 'page=0', 'limit=1']) await alice.get(`${repo}/git/trees/main?${query}`, { body: ({ tree: entries, truncated, total_count, page }) => ({ entries: entries?.map(({ path }) => path), truncated, total_count, page }) });
  const { tree } = await alice.must('GET', `${repo}/git/trees/main`);
  const blob = tree.find(({ path }) => path === 'odd.txt').sha;
  await alice.get(`${repo}/git/blobs/${blob}`);
  await alice.get(`${repo}/git/blobs/${'f'.repeat(40)}`);
  await alice.get(`${repo}/git/blobs/short`);
  const clone = await alice.clone(name);
  await alice.git(['notes', 'add', '-m', 'A note', shas[4]], clone);
  await alice.git(['push', '-q', 'origin', 'refs/notes/commits'], clone);
  await alice.get(`${repo}/git/notes/${shas[4]}`, { body: ({ message, commit }) => ({ message, commit: commit.sha }) });
  await alice.get(`${repo}/git/notes/${shas[4]}?verification=false&files=false`, { body: ({ message, commit }) => ({ message, files: commit.files, verification: commit.commit.verification }) });
  await alice.get(`${repo}/git/notes/${shas[0]}`);
  await alice.get(`${repo}/git/notes/main`, { body: ({ message }) => message });
  await alice.get(`${repo}/git/notes/nothing`);
}
