// Repositories that git cannot clone: the words that clients show and look for.
export default async function (t) {
  const alice = await t.user('alice');
  await alice.repo('closed', { private: true });
  const source = await t.listen(({ path }) => ({ status: Number(path.slice(1, 4)), body: 'no' }));
  const gone = await t.listen();
  await gone.close();
  const words = ({ message }) => ({ message: message.replace(/after \d+ ms/, 'after {n} ms').replace(gone.url, '{gone}').replace(/(127\.0\.0\.1) port \d+/, '$1 port {port}') });
  const migrate = async (label, clone_addr, fields = {}) => {
    const { status, json } = await alice.send('POST', '/repos/migrate', { json: { clone_addr, repo_name: label.replaceAll(' ', '-'), ...fields } });
    t.record(label, { status, ...words(json) });
  };
  for (const status of [403, 404, 500]) await migrate(`a server that responds ${status}`, `${source.url}/${status}/x.git`);
  await migrate('a mirror', `${source.url}/404/x.git`, { mirror: true, mirror_interval: '8h' });
  await migrate('a server that is gone', `${gone.url}/x.git`);
  await migrate('a private repository', `${t.base}/${alice.name}/closed.git`);
  await migrate('a private repository with a wrong password', `${t.base}/${alice.name}/closed.git`, { auth_username: alice.name, auth_password: 'wrong' });
  await migrate('no repository', `${t.base}/${alice.name}/none.git`);
}
