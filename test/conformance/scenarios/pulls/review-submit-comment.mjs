// A pending review with comments on code is submitted as a comment only with a text.
export default async function (t) {
  const [alice, bob] = [await t.user('alice'), await t.user('bob')];
  await alice.repo('demo');
  const demo = `/repos/${alice.name}/demo`;
  await alice.push(`${alice.name}/demo`, { branch: 'topic', from: 'main', files: { 'a.txt': 'one\ntwo\n' } });
  await alice.must('POST', `${demo}/pulls`, { head: 'topic', base: 'main', title: 'Pull' });
  const reviews = `${demo}/pulls/1/reviews`;
  const brief = { body: ({ state, body, comments_count }) => ({ state, body, comments_count }) };
  const { json: pending } = await bob.post(reviews, { body: 'Later', comments: [{ path: 'a.txt', body: 'Why?', new_position: 2 }] }, brief);
  for (const body of [undefined, '', '  ', 'Done']) await bob.post(`${reviews}/${pending.id}`, { event: 'COMMENT', body }, brief);
  await bob.post(reviews, { event: 'COMMENT', comments: [{ path: 'a.txt', body: 'Why?', new_position: 1 }] }, brief);
}
