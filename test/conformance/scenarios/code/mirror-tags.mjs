// A pull mirror takes tags and releases of its own.
export default async function (t) {
  const alice = await t.user('alice');
  await alice.repo('source');
  await alice.must('POST', `/repos/${alice.name}/source/tags`, { tag_name: 'v1' });
  await alice.must('POST', '/repos/migrate', { clone_addr: `${t.base}/${alice.name}/source.git`, repo_name: 'mirror', mirror: true });
  const mirror = `/repos/${alice.name}/mirror`;
  await t.eventually(() => alice.send('GET', `${mirror}/branches/main`), ({ status }) => status === 200);
  await alice.post(`${mirror}/tags`, { tag_name: 'own' });
  const brief = ({ tag_name, name, draft, target_commitish }) => ({ tag_name, name, draft, target_commitish });
  await alice.post(`${mirror}/releases`, { tag_name: 'made', name: 'Made' }, { body: brief });
  await alice.post(`${mirror}/releases`, { tag_name: 'v1', name: 'First' }, { body: brief });
  await alice.post(`${mirror}/releases`, { tag_name: 'later', name: 'Later', draft: true }, { body: brief });
  await alice.delete(`${mirror}/tags/v1`);
  await alice.delete(`${mirror}/tags/later`);
  await alice.delete(`${mirror}/tags/own`);
  await alice.get(`${mirror}/tags`, { body: (tags) => tags.map(({ name }) => name).sort() });
  await alice.get(`${mirror}/releases`, { body: (releases) => releases.map(({ name, draft }) => ({ name, draft })).sort((a, b) => (a.name < b.name ? -1 : 1)) });
}
