// Locking with each reason and deadlines in each form: what a locked conversation still takes, and from whom.
export default async function (t) {
  const alice = await t.user('alice');
  const writer = await t.user('writer');
  const bob = await t.user('bob');
  await alice.repo('demo');
  const repo = `/repos/${alice.name}/demo`;
  await alice.must('PUT', `${repo}/collaborators/${writer.name}`, { permission: 'write' });
  const issue = `${repo}/issues/1`;
  await alice.must('POST', `${repo}/issues`, { title: 'one' });
  const comment = await bob.must('POST', `${issue}/comments`, { body: 'before' });
  const state = { body: ({ is_locked, due_date }) => ({ is_locked, due_date }) };
  for (const lock_reason of ['Too heated', 'Off-topic', 'Resolved', 'Spam', 'spam', 'any text', '', 'x'.repeat(300)]) {
    await alice.put(`${issue}/lock`, { lock_reason });
    await alice.get(issue, state);
    await alice.delete(`${issue}/lock`);
  }
  await alice.put(`${issue}/lock`, { lock_reason: 3 });
  await alice.put(`${issue}/lock`);
  await alice.put(`${issue}/lock`, { lock_reason: 'again' });
  await bob.put(`${issue}/lock`, { lock_reason: 'mine' });
  await bob.delete(`${issue}/lock`);
  await bob.post(`${issue}/comments`, { body: 'more' });
  await bob.patch(`${repo}/issues/comments/${comment.id}`, { body: 'edited' }, { body: ({ body }) => body });
  await bob.post(`${issue}/reactions`, { content: 'heart' });
  await bob.post(`${repo}/issues/comments/${comment.id}/reactions`, { content: 'heart' });
  await bob.request('POST', `${issue}/assets`, { form: { attachment: { content: 'text', filename: 'a.txt' } } });
  await bob.request('POST', `${repo}/issues/comments/${comment.id}/assets`, { form: { attachment: { content: 'text', filename: 'a.txt' } } });
  await bob.delete(`${repo}/issues/comments/${comment.id}`);
  await writer.post(`${issue}/comments`, { body: 'a writer' }, { body: ({ body }) => body });
  await writer.post(`${issue}/reactions`, { content: '+1' });
  await writer.delete(`${issue}/lock`);
  await writer.delete(`${issue}/lock`);
  await writer.put(`${repo}/issues/9/lock`, { lock_reason: 'spam' });
  await t.anonymous.put(`${issue}/lock`, { lock_reason: 'spam' });
  await alice.get(`${issue}/timeline`, { body: (list) => list.map(({ type, body, user }) => `${user.login} ${type} ${body.slice(0, 20)}`) });
  for (const due_date of ['2030-01-02T15:04:05Z', '2030-01-02T23:30:00-05:00', '2030-06-02T00:00:00+09:00', '0001-01-01T00:00:00Z', '1969-01-01T00:00:00Z', null, '', '2030-01-02', 'tomorrow', 5]) {
    await alice.post(`${issue}/deadline`, { due_date });
    await alice.patch(issue, { due_date }, state);
  }
  await alice.post(`${issue}/deadline`, {});
  await alice.patch(issue, { due_date: '2030-01-01T00:00:00Z', unset_due_date: true }, state);
  await alice.patch(issue, { unset_due_date: true }, state);
  await alice.patch(issue, { unset_due_date: false, due_date: '2030-01-01T00:00:00Z' }, state);
  await writer.post(`${issue}/deadline`, { due_date: '2031-01-02T00:00:00Z' });
  await bob.post(`${issue}/deadline`, { due_date: '2031-01-02T00:00:00Z' });
  await t.anonymous.post(`${issue}/deadline`, { due_date: '2031-01-02T00:00:00Z' });
  await alice.post(`${repo}/issues/9/deadline`, { due_date: '2031-01-02T00:00:00Z' });
  await bob.post(`${repo}/issues`, { title: 'with a date', due_date: '2031-01-02T00:00:00Z' }, state);
  await writer.post(`${repo}/issues`, { title: 'with a date', due_date: '2031-01-02T12:00:00+05:00' }, state);
}
