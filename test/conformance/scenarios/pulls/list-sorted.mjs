// Listing pull requests by each order and filter together.
export default async function (t) {
  const alice = await t.user('alice');
  const bob = await t.user('bob');
  await alice.repo('demo');
  const repo = `/repos/${alice.name}/demo`;
  await alice.must('PUT', `${repo}/collaborators/${bob.name}`, { permission: 'write' });
  const bug = await alice.must('POST', `${repo}/labels`, { name: 'bug', color: '#ee0701' });
  const ui = await alice.must('POST', `${repo}/labels`, { name: 'ui', color: '#ee0701' });
  const v1 = await alice.must('POST', `${repo}/milestones`, { title: 'v1' });
  await alice.push(`${alice.name}/demo`, { branch: 'dev', from: 'main' });
  const open = async (who, head, base = 'main', fields = {}) => {
    await who.push(`${alice.name}/demo`, { branch: head, from: 'main', files: { [`${head}.txt`]: 'x\n' } });
    await who.must('POST', `${repo}/pulls`, { head, base, title: head, ...fields });
  };
  await open(alice, 'one', 'main', { labels: [bug.id], milestone: v1.id, assignees: [bob.name] });
  await open(bob, 'two', 'dev', { labels: [bug.id, ui.id], due_date: '2030-01-01T00:00:00Z' });
  await open(bob, 'three', 'main', { milestone: v1.id, due_date: '2029-01-01T00:00:00Z' });
  await open(alice, 'four', 'dev');
  for (const n of [2, 2, 3]) await alice.must('POST', `${repo}/issues/${n}/comments`, { body: 'a comment' });
  await alice.must('PATCH', `${repo}/pulls/4`, { state: 'closed' });
  await new Promise((go) => setTimeout(go, 1100));
  await alice.must('PATCH', `${repo}/pulls/1`, { state: 'closed' });
  const list = (query) => alice.get(`${repo}/pulls?${query}`, { body: (all) => all.map(({ number, title }) => `${number} ${title}`) });
  for (const sort of ['oldest', 'mostcomment', 'leastcomment', 'priority', 'nonsense', 'newest']) await list(`state=all&sort=${sort}`);
  for (const query of ['state=open', 'state=closed&sort=oldest', 'state=bogus', 'state=', `labels=${bug.id}&state=all&sort=oldest`, 'labels=999999999', 'labels=',
    `milestone=${v1.id}&state=all`, 'milestone=999999999', 'milestone=x', 'milestone=0', 'milestone=-1&state=all', `poster=${alice.name}&state=all`, `poster=${bob.name}`, `poster=nobody-${t.run}`, 'poster=',
    'base_branch=dev', 'base_branch=dev&state=all&sort=oldest', 'base_branch=main', 'base_branch=nothing', `base_branch=dev&poster=${alice.name}&state=all`, 'limit=1', 'limit=1&page=2&state=all', 'limit=1&page=9', 'limit=0', 'limit=-1', 'page=x']) {
    await alice.get(`${repo}/pulls?${query}`, { body: (all) => all.map(({ number, title }) => `${number} ${title}`), label: `${repo}/pulls?${query.replace(/(?<=labels=|milestone=)\d+/g, '{id}')}` });
  }
  await alice.get(`${repo}/pulls/main/one`, { body: ({ number }) => number });
  await alice.get(`${repo}/pulls/dev/two`, { body: ({ number }) => number });
  await alice.get(`${repo}/pulls/main/two`);
  await alice.get(`${repo}/pulls/main/${alice.name}:one`, { body: 'ignore' });
  await alice.get(`${repo}/pulls/nothing/one`);
}
