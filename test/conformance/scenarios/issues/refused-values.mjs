// What is said of wrong colors, names of files, labels, due dates and base branches.
export default async function (t) {
  const alice = await t.user('alice');
  await alice.repo('demo');
  const path = `/repos/${alice.name}/demo`;
  for (const color of ['red', '😀 ünï', '#12345', 'x'.repeat(80), 'ABC', ' #abcdef ']) await alice.post(`${path}/labels`, { name: `label ${color.length}`, color });
  await alice.must('POST', `${path}/issues`, { title: 'one' });
  await alice.delete(`${path}/issues/1/labels/-1`);
  await alice.delete(`${path}/issues/1/labels/0`);
  for (const due_date of ['1970-01-01T00:00:00Z', '0001-01-01T00:00:00Z', '2031-05-06T23:00:00-08:00']) {
    await alice.patch(`${path}/issues/1`, { due_date }, { body: (issue) => [issue.due_date?.slice(0, 10), issue.due_date?.slice(11)] });
  }
  const asset = await alice.must('POST', `${path}/issues/1/assets`, undefined, { form: { attachment: { content: 'text', filename: 'a.txt' } } });
  for (const name of [' ', 'x'.repeat(300), 'a.exe', 'b.txt']) await alice.patch(`${path}/issues/1/assets/${asset.id}`, { name });
  const comment = await alice.must('POST', `${path}/issues/1/comments`, { body: 'text' });
  await alice.push(`${alice.name}/demo`, { branch: 'topic', from: 'main', files: { 'a.txt': 'a\n' }, date: '2024-01-01T00:00:00Z' });
  await alice.must('POST', `${path}/branches`, { new_branch_name: 'same', old_branch_name: 'topic' });
  await alice.must('POST', `${path}/pulls`, { title: 'two', head: 'topic', base: 'main' });
  await alice.patch(`${path}/pulls/2`, { base: 'same' }, { body: ({ base }) => base.ref });
  await alice.must('PATCH', path, { archived: true });
  await t.anonymous.patch(`${path}/issues/comments/${comment.id}`, { body: 'edited' });
  await t.anonymous.post(`${path}/issues/1/comments`, { body: 'more' });
  await alice.patch(`${path}/issues/comments/${comment.id}`, { body: 'edited' });
}
