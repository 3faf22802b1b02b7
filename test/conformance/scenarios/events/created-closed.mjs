// An issue that is created closed: each payload has the counts of its milestone from before.
export default async function (t) {
  const alice = await t.user('alice');
  await alice.repo('demo');
  const demo = `/repos/${alice.name}/demo`;
  const receiver = await t.listen();
  const label = await alice.must('POST', `${demo}/labels`, { name: 'bug', color: '#ff0000' });
  const milestone = await alice.must('POST', `${demo}/milestones`, { title: 'first' });
  await alice.must('POST', `${demo}/hooks`, { type: 'gitea', config: { url: receiver.url, content_type: 'json' }, active: true, events: ['issues', 'issue_label', 'issue_milestone'] });
  for (const more of [{ body: 'text' }, { labels: [label.id] }]) {
    await alice.must('POST', `${demo}/issues`, { title: 'Closed', milestone: milestone.id, closed: true, ...more });
    for (let count = more.labels ? 4 : 3; count > 0; count--) {
      const { json: { action, issue } } = await receiver.next();
      const { open_issues, closed_issues } = issue.milestone;
      t.record(`${Object.keys(more)} ${action}`, { action, state: issue.state, open_issues, closed_issues });
    }
  }
}
