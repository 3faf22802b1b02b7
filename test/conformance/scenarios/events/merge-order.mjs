// The order of the payloads of a merge: the pull request is closed before the push.
export default async function (t) {
  const alice = await t.user('alice');
  await alice.repo('demo');
  const demo = `/repos/${alice.name}/demo`;
  const receiver = await t.listen();
  await alice.must('POST', `${demo}/hooks`, { type: 'gitea', config: { url: receiver.url, content_type: 'json' }, active: true, branch_filter: 'main', events: ['push', 'pull_request_only'] });
  for (const Do of ['merge', 'squash', 'rebase']) {
    await alice.push(`${alice.name}/demo`, { branch: Do, from: 'main', files: { [`${Do}.txt`]: 'a\n' } });
    const { number: index } = await alice.must('POST', `${demo}/pulls`, { title: Do, head: Do, base: 'main' });
    await t.eventually(() => alice.send('GET', `${demo}/pulls/${index}`), ({ json }) => json.mergeable);
    await receiver.next();
    await alice.must('POST', `${demo}/pulls/${index}/merge`, { Do });
    for (let count = 0; count < 2; count++) {
      const { headers, json } = await receiver.next();
      t.record(`${Do} ${count}`, { event: headers['x-gitea-event-type'], ref: json.ref, action: json.action });
    }
  }
}
