// Which steps after the name of a revision lead to a commit or a tree, and where.
const STEPS = ['main^{commit}', 'main^{}', 'main@{0}', 'main~1^{commit}', 'main^{commit}^', 'v1^{commit}', 'v1^{}', 'v1^{tag}', 'main^{tag}', 'main~1', '@', 'nope^{}', 'nope@{0}'];

export default async function (t) {
  const alice = await t.user('alice');
  await alice.repo('demo');
  const repo = `/repos/${alice.name}/demo`;
  const first = await alice.push(`${alice.name}/demo`, { files: { 'a.txt': 'one\n' }, message: 'First', tag: 'v1', date: '2024-01-01T00:00:00Z' });
  const second = await alice.push(`${alice.name}/demo`, { files: { 'b.txt': 'two\n' }, message: 'Second', date: '2024-01-02T00:00:00Z' });
  t.name(first.sha, 'first');
  t.name(second.sha, 'second');
  for (const [index, revision] of [...STEPS, 'main^{tree}', 'v1^{tree}'].entries()) {
    const at = encodeURIComponent(revision);
    const isTree = revision.endsWith('{tree}');
    await alice.get(`${repo}/git/trees/${at}`, { body: ({ sha, tree }) => ({ ...(!isTree && { sha }), paths: tree.map(({ path }) => path) }) });
    if (isTree) continue;
    await alice.get(`${repo}/commits?sha=${at}`, { body: (commits) => commits.map(({ sha }) => sha) });
    await alice.get(`${repo}/compare/${first.sha}...${at}`, { body: ({ total_commits }) => total_commits });
    await alice.get(`${repo}/git/commits/${at}.diff`);
    // Names with braces are quoted in headers.
    if (!revision.includes('{')) await alice.get(`${repo}/archive/${at}.zip`, { body: 'size' });
    await alice.post(`${repo}/statuses/${at}`, { state: 'success', context: `of ${index}` }, { body: ({ context }) => context });
    await alice.post(`${repo}/tags`, { tag_name: `t${index}`, target: revision }, { body: ({ commit }) => commit.sha });
  }
  for (const name of ['HEAD', 'main']) await alice.get(`//${alice.name}/demo/raw/commit/${name}/b.txt`, { body: ({ length }) => length });
}
