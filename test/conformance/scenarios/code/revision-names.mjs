// Which names of revisions comparisons, raw files and archives take.
export default async function (t) {
  const alice = await t.user('alice');
  await alice.repo('demo');
  const path = `/repos/${alice.name}/demo`;
  await alice.push(`${alice.name}/demo`, { branch: 'main', files: { 'a.txt': 'one\n' }, date: '2024-01-01T00:00:00Z' });
  await alice.push(`${alice.name}/demo`, { branch: 'topic', from: 'main', files: { 'a.txt': 'two\n' }, tag: 'v1', date: '2024-01-02T00:00:00Z' });
  for (const name of ['main', 'heads/main', 'refs/heads/main', 'tags/v1', 'refs/tags/v1', 'v1', 'HEAD', 'HEAD~1', '@', 'main~1', 'nope~1']) {
    await alice.get(`${path}/compare/${name}...topic`, { body: ({ total_commits, message }) => total_commits ?? message });
    await alice.get(`${path}/compare/main...${name}`, { body: ({ total_commits, message }) => total_commits ?? message });
  }
  for (const name of ['topic', 'topic~1', 'topic^', 'topic:a.txt', 'nope', 'v1', 'heads/topic']) {
    await alice.get(`${path}/raw/a.txt?ref=${encodeURIComponent(name)}`);
    await alice.get(`${path}/media/a.txt?ref=${encodeURIComponent(name)}`);
    if (!name.includes(':')) await alice.get(`${path}/raw/${encodeURIComponent(name)}/a.txt`);
  }
  for (const query of ['path=a.txt', 'path=missing', 'path=a.txt&path=missing']) await alice.get(`${path}/archive/topic.zip?${query}`, { body: 'size' });
}
