// The order of the payloads when an issue or a pull request begins with labels and the like, and of several edits at once.
export default async function (t) {
  const [alice, bob] = [await t.user('alice'), await t.user('bob')];
  await alice.repo('demo');
  const demo = `/repos/${alice.name}/demo`;
  await alice.must('PUT', `${demo}/collaborators/${bob.name}`, { permission: 'write' });
  const label = await alice.must('POST', `${demo}/labels`, { name: 'bug', color: '#ff0000' });
  const [first, second] = [await alice.must('POST', `${demo}/milestones`, { title: 'first' }), await alice.must('POST', `${demo}/milestones`, { title: 'second' })];
  await alice.push(`${alice.name}/demo`, { branch: 'topic', from: 'main', files: { 'a.txt': 'a\n' } });
  const receiver = await t.listen();
  const kinds = ['issues', 'issue_label', 'issue_milestone', 'issue_assign', 'pull_request', 'pull_request_label', 'pull_request_milestone', 'pull_request_assign', 'pull_request_review_request'];
  await alice.must('POST', `${demo}/hooks`, { type: 'gitea', config: { url: receiver.url, content_type: 'json' }, active: true, events: kinds });
  const record = async (what, count) => {
    const told = [];
    for (; count > 0; count--) {
      const { headers, json } = await receiver.next();
      const { labels, assignees, milestone, state } = json.issue ?? json.pull_request;
      const { open_issues, closed_issues } = milestone;
      told.push({ event: headers['x-gitea-event-type'], action: json.action, state, labels: labels.length, assignees: (assignees ?? []).map(({ login }) => login), milestone: milestone.title, open_issues, closed_issues });
    }
    t.record(what, told);
  };
  const more = { labels: [label.id], milestone: first.id, assignees: [bob.name, alice.name] };
  await alice.must('POST', `${demo}/issues`, { title: 'Issue', ...more, closed: true });
  await record('issue', 6);
  await alice.must('POST', `${demo}/pulls`, { title: 'Pull', head: 'topic', base: 'main', ...more, reviewers: [bob.name] });
  await record('pull request', 6);
  await alice.must('PATCH', `${demo}/pulls/2`, { title: 'Other', body: 'text', state: 'closed', milestone: second.id, assignees: [bob.name], labels: [] });
  await record('edit of a pull request', 5);
  await alice.must('PATCH', `${demo}/pulls/2`, { labels: [label.id] });
  await alice.must('PATCH', `${demo}/pulls/2`, { state: 'open' });
  await record('edit of labels alone', 1);
}
