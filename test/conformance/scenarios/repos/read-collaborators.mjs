// Which repositories of others are listed as those of a collaborator: public ones only with more than read access.
export default async function (t) {
  const [alice, bob] = [await t.user('alice'), await t.user('bob')];
  const org = await t.org(alice, 'crew');
  for (const [owner, path] of [[alice.name, '/user/repos'], [org, `/orgs/${org}/repos`]]) {
    for (const kind of ['public', 'private']) {
      for (const permission of ['read', 'write', 'admin']) {
        const name = `${kind}-${permission}`;
        await alice.must('POST', path, { name, private: kind === 'private' });
        await alice.must('PUT', `/repos/${owner}/${name}/collaborators/${bob.name}`, { permission });
      }
    }
  }
  const { id } = await bob.must('GET', '/user');
  const names = { body: (found) => (found.data ?? found).map(({ full_name }) => full_name) };
  await bob.get('/user/repos', names);
  await alice.get(`/users/${bob.name}/repos`, names);
  for (const query of ['', '&is_private=false', '&is_private=true', '&exclusive=true', '&mode=collaborative'])
    await bob.get(`/repos/search?uid=${id}${query}`, { ...names, label: `/repos/search?uid={bob}${query}` });
}
