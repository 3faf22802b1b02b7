// Every allowed reaction on issues, comments, pull requests and reviews' comments; wrong ones, twice, other people's.
export default async function (t) {
  const alice = await t.user('alice');
  const bob = await t.user('bob');
  await alice.repo('demo');
  const repo = `/repos/${alice.name}/demo`;
  await alice.must('POST', `${repo}/issues`, { title: 'one' });
  await alice.push(`${alice.name}/demo`, { branch: 'topic', from: 'main', files: { 'a.txt': 'a\n' } });
  await alice.must('POST', `${repo}/pulls`, { head: 'topic', base: 'main', title: 'two' });
  const comment = await alice.must('POST', `${repo}/issues/1/comments`, { body: 'hello' });
  const review = await bob.must('POST', `${repo}/pulls/2/reviews`, { event: 'COMMENT', body: 'looks', comments: [{ path: 'a.txt', body: 'line', new_position: 1 }] });
  const [line] = await alice.must('GET', `${repo}/pulls/2/reviews/${review.id}/comments`);
  const short = { body: (list) => (Array.isArray(list) ? list.map(({ content, user }) => `${user.login} ${content}`) : `${list.user.login} ${list.content}`) };
  for (const at of [`${repo}/issues/1`, `${repo}/issues/2`, `${repo}/issues/comments/${comment.id}`, `${repo}/issues/comments/${line.id}`]) {
    for (const content of ['+1', '-1', 'laugh', 'hooray', 'confused', 'heart', 'rocket', 'eyes']) await alice.post(`${at}/reactions`, { content }, short);
    for (const content of ['thumbsup', 'HEART', ':heart:', '❤', '', 'zzz', ' heart']) await alice.post(`${at}/reactions`, { content });
    await alice.post(`${at}/reactions`, { content: 'heart' }, short);
    await bob.post(`${at}/reactions`, { content: 'heart' });
    await alice.get(`${at}/reactions`, short);
    await t.anonymous.get(`${at}/reactions`, short);
    await alice.get(`${at}/reactions?limit=3&page=2`, short);
    await bob.delete(`${at}/reactions`, { content: '+1' });
    await alice.delete(`${at}/reactions`, { content: '+1' });
    await alice.delete(`${at}/reactions`, { content: '+1' });
    await alice.delete(`${at}/reactions`, { content: 'zzz' });
    await alice.delete(`${at}/reactions`, {});
    await alice.post(`${at}/reactions`, {});
    await t.anonymous.post(`${at}/reactions`, { content: '+1' });
    await alice.get(`${at}/reactions`, short);
  }
  await alice.get(`${repo}/issues/99/reactions`);
  await alice.get(`${repo}/issues/comments/999999999/reactions`);
  await alice.delete(`${repo}/issues/comments/999999999/reactions`, { content: '+1' });
}
