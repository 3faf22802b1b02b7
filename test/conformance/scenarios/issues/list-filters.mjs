// Every filter of a repository's issues, alone and combined: names and ids, unknown values, dates, orders, what counts as "none".
export default async function (t) {
  const alice = await t.user('alice');
  const bob = await t.user('bob');
  await alice.repo('demo');
  const repo = `/repos/${alice.name}/demo`;
  const label = (name, fields = {}) => alice.must('POST', `${repo}/labels`, { name, color: '#ee0701', ...fields });
  const bug = await label('bug');
  const ui = await label('needs: ui', { description: 'with a space' });
  await label('größe/groß', { exclusive: true });
  const ms = await alice.must('POST', `${repo}/milestones`, { title: 'v1, final' });
  await alice.must('POST', `${repo}/milestones`, { title: 'v2' });
  const issue = (title, fields = {}, who = alice) => who.must('POST', `${repo}/issues`, { title, ...fields });
  await issue('one', { labels: [bug.id], milestone: ms.id });
  await issue('two', { labels: [bug.id, ui.id], assignees: [alice.name] });
  await issue('three', { closed: true, assignees: [alice.name] });
  await issue('four', { body: `cc @${alice.name}` }, bob);
  await issue('FIVE with Umlaut ä', { due_date: '2030-01-02T00:00:00Z' }, bob);
  await alice.must('POST', `${repo}/issues/1/comments`, { body: `ping @${bob.name}` });
  await alice.push(`${alice.name}/demo`, { branch: 'topic', from: 'main', files: { 'a.txt': 'a\n' } });
  await alice.must('POST', `${repo}/pulls`, { head: 'topic', base: 'main', title: 'six', labels: [ui.id] });
  const titles = { body: (list) => list.map(({ number, title }) => `${number} ${title}`) };
  const list = (query, who = alice) => who.get(`${repo}/issues?${query}`, titles);
  for (const query of [
    'state=open', 'state=closed', 'state=all', 'state=OPEN', 'state=', 'state=merged',
    'type=issues', 'type=pulls', 'type=issue', 'type=', 'type=all',
    'labels=bug', 'labels=BUG', 'labels=bug,needs:%20ui', 'labels=needs%3A+ui', 'labels=bug,unknown', 'labels=unknown', 'labels=,', 'labels=gr%C3%B6%C3%9Fe%2Fgro%C3%9F',
    'milestones=v2', 'milestones=V2', 'milestones=v1,%20final', 'milestones=unknown', 'milestones=0', 'milestones=-1', 'milestones=none', 'milestones=v2,unknown&state=all',
    'q=one', 'q=umlaut', 'q=%C3%84', 'q=five&state=all', 'q=ping', 'q=zzz', 'q=%231', 'q=1',
    'sort=oldest', 'sort=latest', 'sort=mostcomment', 'sort=leastcomment', 'sort=nearduedate', 'sort=farduedate', 'sort=recentupdate', 'sort=leastupdate', 'sort=priority', 'sort=nonsense',
    `assigned_by=${'alice'}-${t.run}&state=all`, `created_by=${'bob'}-${t.run}`, `mentioned_by=${'alice'}-${t.run}`, `mentioned_by=${'bob'}-${t.run}`, `assigned_by=nobody-${t.run}`, `created_by=nobody-${t.run}`, `mentioned_by=nobody-${t.run}`,
    `created_by=ALICE-${t.run}&state=all`, 'created_by=&state=all',
    'since=2001-01-01T00:00:00Z&limit=2', 'before=2100-01-01T00:00:00Z&limit=2&page=2', 'since=2100-01-01T00:00:00Z', 'since=2001-01-01', 'since=0', 'before=-1', 'since=2001-01-01T00:00:00%2B02:00&state=closed',
    'limit=2&page=3', 'limit=2&page=4', 'limit=0', 'limit=-1', 'limit=100', 'page=0', 'page=-1', 'limit=x',
    'state=all&type=pulls&labels=needs:%20ui', `state=all&type=issues&labels=bug&assigned_by=${'alice'}-${t.run}&milestones=`,
  ]) await list(query);
  await t.anonymous.get(`${repo}/issues?limit=1&page=2&state=all&type=issues`);
  await bob.get(`${repo}/issues?since=tomorrow`);
  await bob.get(`${repo}/issues?before=2001-13-01T00:00:00Z`);
}
