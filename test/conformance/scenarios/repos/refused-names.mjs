// Names and addresses that are refused, and how messages quote them.
export default async function (t) {
  const alice = await t.user('alice');
  await alice.repo('demo');
  await alice.put(`/repos/${alice.name}/demo/topics`, { topics: ['a b', 'fine', 'A B', '', 'fine', 'a b'] });
  const remote_address = `${t.base}/${alice.name}/demo.git`;
  for (const interval of ['8 ü', '1\n', 'a"b\\c', '8x', '5ü'])
    await alice.post(`/repos/${alice.name}/demo/push_mirrors`, { remote_address, interval });
  await alice.post(`/repos/${alice.name}/demo/push_mirrors`, { remote_address: 'http://none.invalid/x.git', interval: '8h' });
  await alice.post('/repos/migrate', { clone_addr: 'http://none.invalid/x.git', repo_name: 'far', service: 'git' });
  for (const repo_name of ['..', 'A..b', '.', '-']) await alice.post('/repos/migrate', { clone_addr: remote_address, repo_name, service: 'git' });
}
