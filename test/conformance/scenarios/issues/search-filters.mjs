// Searching across repositories by everything at once: several labels and milestones, excluded states, priorities, pages with their links.
export default async function (t) {
  const alice = await t.user('alice');
  const bob = await t.user('bob');
  await alice.repo('one');
  await alice.repo('two');
  const at = (name) => `/repos/${alice.name}/${name}`;
  const bug = `bug-${t.run}`;
  const labels = {};
  for (const name of ['one', 'two']) labels[name] = await alice.must('POST', `${at(name)}/labels`, { name: bug, color: '#ee0701' });
  const first = await alice.must('POST', `${at('one')}/milestones`, { title: `first-${t.run}` });
  const second = await alice.must('POST', `${at('two')}/milestones`, { title: `second-${t.run}` });
  const issue = (name, title, fields = {}, who = alice) => who.must('POST', `${at(name)}/issues`, { title, ...fields });
  await issue('one', 'one 1', { labels: [labels.one.id], milestone: first.id });
  await issue('one', 'one 2', { assignees: [alice.name], due_date: '2031-01-01T00:00:00Z' });
  await issue('two', 'two 1', { labels: [labels.two.id], closed: true });
  await issue('two', 'two 2', { milestone: second.id }, alice);
  await issue('two', `two 3 @${bob.name}`, { body: `see @${bob.name}` }, bob);
  await alice.push(`${alice.name}/two`, { branch: 'topic', from: 'main', files: { 'a.txt': 'a\n' } });
  await alice.must('POST', `${at('two')}/pulls`, { head: 'topic', base: 'main', title: 'two 4', reviewers: [bob.name] });
  await bob.must('POST', `${at('two')}/pulls/4/reviews`, { event: 'APPROVED', body: 'fine' });
  await t.eventually(() => alice.send('GET', `/repos/issues/search?owner=${alice.name}&q=two&state=all`), ({ json }) => json.length === 4);
  const titles = { body: (list) => list.map(({ title, repository }) => `${repository.name}: ${title}`) };
  const search = (query, who = alice) => who.get(`/repos/issues/search?owner=${alice.name}&${query}`, titles);
  for (const query of [
    `labels=${bug}`, `labels=${bug}&state=all`, `labels=${bug},other-${t.run}&state=all`, `milestones=first-${t.run},second-${t.run}`, `milestones=first-${t.run}&labels=${bug}`,
    'priority_repo_id=0', 'priority_repo_id=x', 'sort=oldest', 'sort=nearduedate', 'sort=nonsense',
    'assigned=true', 'assigned=1', 'assigned=yes', 'assigned=false', 'created=true&type=issues', 'created=true&type=pulls', 'mentioned=true', 'reviewed=true', 'review_requested=true',
    'created=true&assigned=true', 'state=all&type=pulls', 'state=closed&type=issues', 'type=bogus', 'q=two', 'q=TWO&state=all', 'q=nothing',
    'limit=1', 'limit=1&page=2', 'limit=1&page=3', 'limit=2&page=100', 'limit=0', 'page=-1', 'limit=999',
    'since=2001-01-01T00:00:00Z&before=2100-01-01T00:00:00Z', 'since=2001-01-01', 'since=1', 'before=1',
    `created_by=${bob.name}`, `created_by=${alice.name},${bob.name}`, 'created_by=', 'team=', 'team=crew',
  ]) await search(query);
  for (const query of ['mentioned=true', 'reviewed=true', 'review_requested=true', 'assigned=true', 'created=true', 'reviewed=true&state=all&type=pulls']) await search(query, bob);
  await t.anonymous.get(`/repos/issues/search?owner=${alice.name}&limit=1&page=2&state=all&q=two`, titles);
  await bob.get(`/repos/issues/search?owner=${alice.name}&q=two&type=pulls`);
  await bob.get(`/repos/issues/search?owner=${alice.name}&since=x`, { body: 'ignore' });
}
