// Push mirrors: unusual addresses, intervals and names.
export default async function (t) {
  const [alice, bob] = await Promise.all(['alice', 'bob'].map((name) => t.user(name)));
  await alice.repo('demo', { auto_init: false });
  await bob.repo('target', { auto_init: false });
  const path = `/repos/${alice.name}/demo/push_mirrors`;
  const remote_address = `${t.base}/${bob.name}/target.git`;
  const plain = (mirror) => ({ ...mirror, remote_name: mirror.remote_name?.replace(/[^_]+$/, '{name}') });
  const add = (name, fields, caller = alice, options = {}) => caller.post(path, { remote_address, interval: '8h', ...fields }, { body: plain, label: `add: ${name}`, ...options });
  const { json: first } = await add('plain', {});
  for (const interval of ['', '0', '0s', '10m', '8', '1d', 'soon', '1h30m', '2.5h', '9999999999h', ' 1h']) await add(`interval ${JSON.stringify(interval)}`, { interval });
  await add('a number for the interval', { interval: 8 });
  for (const address of ['', ' ', 'nonsense', 'ssh://git@127.0.0.1/x.git', 'git@127.0.0.1:x/y.git', 'git://127.0.0.1/x.git', 'file:///etc', '/etc', '-x', '--receive-pack=x', 'ext::sh -c x', 'http://127.0.0.1:1/x.git', `${t.base}/${alice.name}/demo.git`, `${t.base}/${bob.name}/target`, `${remote_address}?a=b`]) await add(`address ${address}`, { remote_address: address });
  await add('credentials in the address', { remote_address: remote_address.replace('://', '://user:secret@') });
  await add('credentials in both', { remote_address: remote_address.replace('://', '://user:secret@'), remote_username: 'a', remote_password: 'b' });
  await add('a name, no password', { remote_username: 'a' });
  await add('a password, no name', { remote_password: 'b' });
  await add('odd credentials', { remote_username: 'a@b:c', remote_password: 'p@ss/w:rd?#%' });
  await add('a text for sync_on_commit', { sync_on_commit: 'yes' });
  await add('sync_on_commit', { sync_on_commit: true });
  await add('without an address', { remote_address: undefined });
  await alice.post(path, {}, { label: 'add: nothing' });
  await add('a list', undefined, alice, { json: undefined, raw: '[]', type: 'application/json' });
  await add('a token that reads', {}, await alice.token(['read:repository']));
  const list = (query) => alice.get(path + query, { body: (all) => all.map(plain).map(({ remote_address: address, interval }) => `${address} ${interval}`) });
  for (const query of ['', '?limit=2', '?limit=2&page=2', '?limit=0', '?page=0', '?page=99', '?limit=x', '?page=-1', '?limit=-1', '?limit=1000']) await list(query);
  await alice.delete(`${path}/none`);
  await alice.delete(path);
  await alice.patch(`${path}/${first.remote_name}`, { interval: '1h' }, { label: 'edit' });
  await bob.delete(`/repos/${bob.name}/target/push_mirrors/${first.remote_name}`, undefined, { label: "delete another repository's" });
  await bob.post(`/repos/${bob.name}/target/push_mirrors-sync`);
  await alice.delete(`${path}/${first.remote_name}`, undefined, { label: 'delete' });
  await alice.delete(`${path}/${first.remote_name}`, undefined, { label: 'delete again' });
  await (await alice.token(['read:repository'])).post(`/repos/${alice.name}/demo/push_mirrors-sync`);
  await alice.must('PATCH', `/repos/${alice.name}/demo`, { archived: true });
  await add('to an archived repository', {});
  await alice.post(`/repos/${alice.name}/demo/push_mirrors-sync`);
  await alice.get(`${path}?limit=1`, { body: ({ length }) => length });
}
