// A merge that closes issues: each payload has the counts of its moment, and the push comes last.
export default async function (t) {
  const alice = await t.user('alice');
  await alice.repo('demo');
  const demo = `/repos/${alice.name}/demo`;
  const receiver = await t.listen();
  const { id: milestone } = await alice.must('POST', `${demo}/milestones`, { title: 'first' });
  for (const title of ['One', 'Two']) await alice.must('POST', `${demo}/issues`, { title, milestone });
  await alice.push(`${alice.name}/demo`, { branch: 'topic', from: 'main', files: { 'a.txt': 'a\n' } });
  await alice.must('POST', `${demo}/pulls`, { title: 'Pull', head: 'topic', base: 'main', body: 'Closes #1, closes #2', milestone });
  await t.eventually(() => alice.send('GET', `${demo}/pulls/3`), ({ json }) => json.mergeable);
  await alice.must('POST', `${demo}/hooks`, { type: 'gitea', config: { url: receiver.url, content_type: 'json' }, active: true, branch_filter: 'main', events: ['push', 'pull_request_only', 'issues_only'] });
  await alice.must('POST', `${demo}/pulls/3/merge`, { Do: 'merge' });
  for (let count = 0; count < 4; count++) {
    const { headers, json: { action, ref, repository, ...rest } } = await receiver.next();
    const { number, milestone } = rest.issue ?? rest.pull_request ?? {};
    const { open_issues, closed_issues } = milestone ?? {};
    t.record(`delivery ${count}`, { event: headers['x-gitea-event-type'], action, ref, number, open_issues, closed_issues, open_issues_count: repository.open_issues_count, open_pr_counter: repository.open_pr_counter });
  }
}
