// Listing a repository's issues with each filter, in order, page by page.
const pause = () => new Promise((resolve) => setTimeout(resolve, 2100));
export default async function (t) {
  const alice = await t.user('alice');
  const bob = await t.user('bob');
  const carol = await t.user('carol');
  await alice.repo('demo');
  const repo = `/repos/${alice.name}/demo`;
  await alice.must('PUT', `${repo}/collaborators/${bob.name}`, { permission: 'write' });
  const label = async (name) => (await alice.must('POST', `${repo}/labels`, { name, color: '#ee0701' })).id;
  const [bug, docs, odd] = [await label('bug'), await label('docs'), await label('needs, care')];
  const v1 = await alice.must('POST', `${repo}/milestones`, { title: 'v1' });
  const v2 = await alice.must('POST', `${repo}/milestones`, { title: 'v2' });
  await alice.get(`${repo}/issues`);

  const open = (who, fields) => who.must('POST', `${repo}/issues`, fields);
  await open(alice, { title: 'one', labels: [bug], milestone: v1.id });
  await open(bob, { title: 'two', labels: [bug, docs], assignees: [alice.name] });
  await open(carol, { title: 'three', body: `for @${bob.name}` });
  await open(alice, { title: 'four', labels: [docs], milestone: v2.id, assignees: [alice.name, bob.name] });
  await open(bob, { title: 'five', labels: [odd], milestone: v1.id, closed: true });
  await alice.push(`${alice.name}/demo`, { branch: 'topic', from: 'main', files: { 'a.txt': 'a\n' } });
  await bob.must('POST', `${repo}/pulls`, { head: 'topic', base: 'main', title: 'six', labels: [bug], milestone: v2.id, body: `ask @${carol.name}` });
  await open(alice, { title: 'seven' });

  await alice.get(`${repo}/issues?limit=2`);
  await alice.get(`${repo}/issues?type=pulls`);
  await t.anonymous.get(`${repo}/issues?state=closed`);
  const numbers = { body: (list) => list.map(({ number }) => number) };
  for (const query of ['', 'state=open', 'state=closed', 'state=all', 'state=bogus',
    'type=issues', 'type=pulls', 'type=bogus', 'type=issues&state=all',
    'labels=bug', 'labels=docs', 'labels=bug,docs', 'labels=nope', 'labels=bug,nope', 'labels=Bug', 'labels=', 'labels=bug&labels=docs',
    'labels=bug&state=all&type=issues',
    'milestones=v1', 'milestones=v1&state=all', 'milestones=v1,v2', 'milestones=nope', 'milestones=nope,v2', 'milestones=V1',
    `created_by=${alice.name}`, `created_by=${carol.name}`, `assigned_by=${alice.name}`, `assigned_by=${bob.name}`,
    `mentioned_by=${bob.name}`, `mentioned_by=${carol.name}`, `mentioned_by=${alice.name}`,
    `created_by=${bob.name}&assigned_by=${alice.name}&labels=docs`,
    'limit=2', 'limit=2&page=2', 'limit=2&page=4', 'limit=0', 'limit=-1', 'page=0&limit=1', 'page=-3&limit=1', 'limit=1000', 'limit=two',
    'state=all&limit=3&page=2', 'sort=oldest']) {
    await alice.get(`${repo}/issues${query && '?' + query}`, numbers);
  }
  const filter = (name, query) => alice.get(`${repo}/issues?${query}`, { ...numbers, label: `${repo}/issues?${name}` });
  await filter('milestones=id of v2', `milestones=${v2.id}`);
  await filter('labels=id of bug', `labels=${bug}`);
  await alice.get(`${repo}/issues?created_by=nobody-${t.run}`);
  await alice.get(`${repo}/issues?assigned_by=nobody-${t.run}`);
  await alice.get(`${repo}/issues?mentioned_by=nobody-${t.run}`);

  // Since and before look at the last change.
  await pause();
  await alice.must('PATCH', `${repo}/issues/2`, { body: 'changed later' });
  const at = (await alice.must('GET', `${repo}/issues/2`)).updated_at;
  const time = (offset) => encodeURIComponent(new Date(Date.parse(at) + offset).toISOString().replace('.000', ''));
  await filter('since=last change', `since=${time(0)}`);
  await filter('since=a second after the last change', `since=${time(1000)}`);
  await filter('before=a second before the last change', `before=${time(-1000)}`);
  await filter('before=last change', `before=${time(0)}`);
  await filter('since and before', `since=${time(-1000)}&before=${time(1000)}`);
  await alice.get(`${repo}/issues?since=yesterday`, { body: 'ignore' });
  await alice.get(`${repo}/issues?before=2024-13-01T00:00:00Z`, { body: 'ignore' });
  await alice.get(`${repo}/issues?since=2020-01-01`, { body: 'ignore' });

  await carol.get(`/repos/${alice.name}/missing/issues`);
  await alice.must('PATCH', repo, { private: true });
  await carol.get(`${repo}/issues`);
  await t.anonymous.get(`${repo}/issues`);
  await bob.get(`${repo}/issues?labels=docs`, numbers);
}
