// Names of files and values of queries that headers encode.
export default async function (t) {
  const alice = await t.user('alice');
  await alice.repo('demo');
  const name = `${alice.name}/demo`;
  const files = ['ü x.md', "it's #1 & a+b.txt", '100%.txt', 'a%20b.txt', "ü(1) 'two' *;=,@$^`|~!.txt", 'a"b.txt', '日本.bin'];
  await alice.push(name, { files: Object.fromEntries(files.map((file) => [file, 'x'])), message: 'Add files' });
  for (const file of files) {
    const path = encodeURIComponent(file);
    await alice.get(`/repos/${name}/raw/${path}`);
    await alice.get(`/repos/${name}/media/${path}`);
    await alice.get(`//${name}/raw/branch/main/${path}`);
  }
  await alice.push(name, { files: { 'more.txt': 'x' }, message: 'Add more' });
  await alice.push(name, { files: { 'most.txt': 'x' }, message: 'Add most' });
  const messages = { body: (list) => list.map(({ commit }) => commit.message) };
  await alice.get(`/repos/${name}/commits?sha=main~1&limit=1&stat=false`, messages);
  await alice.get(`/repos/${name}/commits?sha=main&limit=1&x=a*b%20c%7Ed%2Be'(!)`, messages);
}
