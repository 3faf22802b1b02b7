// Payloads of issues and pull requests that begin with several labels, and the counts in those of drafts.
export default async function (t) {
  const [alice, bob] = [await t.user('alice'), await t.user('bob')];
  await alice.repo('demo');
  const demo = `/repos/${alice.name}/demo`;
  await alice.must('PUT', `${demo}/collaborators/${bob.name}`, { permission: 'write' });
  const labels = [];
  for (const name of ['zebra', 'ant', 'mole']) labels.unshift((await alice.must('POST', `${demo}/labels`, { name, color: '#ff0000' })).id);
  const { id: milestone } = await alice.must('POST', `${demo}/milestones`, { title: 'next' });
  for (const branch of ['one', 'two']) await alice.push(`${alice.name}/demo`, { branch, from: 'main', files: { [`${branch}.txt`]: 'x\n' } });
  const receiver = await t.listen();
  const events = ['issues', 'issue_label', 'issue_milestone', 'issue_assign', 'pull_request', 'pull_request_label', 'pull_request_milestone', 'pull_request_assign', 'pull_request_review_request'];
  await alice.must('POST', `${demo}/hooks`, { type: 'gitea', config: { url: receiver.url, content_type: 'json' }, active: true, events });
  const names = (list) => list.map(({ name }) => name);
  const record = async (what, count) => {
    const told = [];
    for (; count > 0; count--) {
      const { headers, json } = await receiver.next();
      const { labels, milestone, base, head } = json.issue ?? json.pull_request;
      const { open_issues_count, open_pr_counter } = json.repository;
      told.push({ event: headers['x-gitea-event-type'], action: json.action, labels: names(labels), milestone: milestone.open_issues, open_issues_count, open_pr_counter, base: base?.repo.open_pr_counter, head: head?.repo.open_pr_counter });
    }
    t.record(what, told.sort((a, b) => (a.event < b.event ? -1 : 1)));
  };
  const more = { labels, milestone, assignees: [bob.name] };
  await alice.post(`${demo}/issues`, { title: 'Issue', ...more }, { body: ({ labels }) => names(labels) });
  await record('issue', 4);
  await alice.post(`${demo}/pulls`, { title: 'Pull', head: 'one', base: 'main', ...more, reviewers: [bob.name] }, { body: ({ labels }) => names(labels) });
  await record('pull request', 5);
  await alice.post(`${demo}/pulls`, { title: 'WIP: Draft', head: 'two', base: 'main', ...more, reviewers: [bob.name] }, { body: ({ labels }) => names(labels) });
  await record('draft', 5);
  await alice.patch(`${demo}/pulls/3`, { title: 'Ready' }, { body: ({ labels }) => names(labels) });
  await record('ready', 1);
}
