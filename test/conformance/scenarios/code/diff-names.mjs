// Which names of commits have a diff, and what a range beyond the end of a file is refused with.
export default async function (t) {
  const alice = await t.user('alice');
  await alice.repo('demo');
  const name = `${alice.name}/demo`;
  const { sha } = await alice.push(name, { branch: 'v1.0', from: 'main', files: { 'a.txt': 'one\n', 'empty.txt': '', 'film.mp4': '\0\0\0\x18ftypmp42aaaa', 'page.ps': '%!PS-Adobe-3.0\n' }, message: 'Add files' });
  t.name(sha, 'pushed');
  const demo = `/repos/${name}`;
  const names = { branch: 'main', 'a name with a dot': 'v1.0', commit: sha, 'abbreviated commit': sha.slice(0, 8) };
  for (const [kind, ref] of Object.entries(names)) {
    await alice.get(`${demo}/git/commits/${ref}.diff`, { label: `diff of ${kind}`, body: (_, { text }) => text.startsWith('diff --git') });
    t.record(`page of ${kind}`, (await alice.send('GET', `//${name}/commit/${ref}.patch`)).status);
  }
  for (const file of ['a.txt', 'empty.txt', 'film.mp4', 'page.ps']) {
    await alice.get(`${demo}/raw/${file}?ref=v1.0`);
    for (const range of ['bytes=1-2', 'bytes=90-', 'bytes=2-90']) await alice.get(`${demo}/raw/${file}?ref=v1.0`, { headers: { range }, label: `${file} ${range}` });
  }
}
