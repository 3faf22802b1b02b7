// Who starts a transfer gives the recipient read access, which a block between the two forbids.
export default async function (t) {
  const [alice, bob] = await Promise.all([t.user('alice'), t.user('bob')]);
  await alice.repo('secret', { private: true });
  await alice.repo('open');
  await alice.must('PUT', `/user/blocks/${bob.name}`);
  const start = (name) =>
    alice.post(`/repos/${alice.name}/${name}/transfer`, { new_owner: bob.name }, { body: ({ repo_transfer }) => repo_transfer.recipient.login });
  await start('secret');
  await start('open');
  await bob.get(`/repos/${alice.name}/secret`);
  await alice.must('DELETE', `/user/blocks/${bob.name}`);
  await start('secret');
  await bob.get(`/repos/${alice.name}/secret`, { body: ({ name }) => name });
}
