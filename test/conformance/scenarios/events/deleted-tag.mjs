// A deleted tag is announced before the release that clients see in it.
export default async function (t) {
  const alice = await t.user('alice');
  await alice.repo('demo');
  const demo = `/repos/${alice.name}/demo`;
  await alice.must('POST', `${demo}/tags`, { tag_name: 'v1', message: 'One' });
  const receiver = await t.listen();
  await alice.must('POST', `${demo}/hooks`, { type: 'gitea', config: { url: receiver.url, content_type: 'json' }, active: true, events: ['push', 'delete', 'release'] });
  await alice.delete(`${demo}/tags/v1`);
  for (let count = 0; count < 3; count++) {
    const { headers, json: { ref, action } } = await receiver.next();
    t.record(`delivery ${count}`, { event: headers['x-gitea-event-type'], ref, action });
  }
}
