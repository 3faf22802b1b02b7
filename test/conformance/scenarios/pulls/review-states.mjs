// Reviews by each event and state: pending ones and their comments, submitting, replies, both sides of the diff, resolving, dismissing.
export default async function (t) {
  const alice = await t.user('alice');
  const bob = await t.user('bob');
  const carol = await t.user('carol');
  await alice.repo('demo');
  const repo = `/repos/${alice.name}/demo`;
  await alice.push(`${alice.name}/demo`, { files: { 'a.txt': '1\n2\n3\n4\n5\n6\n7\n8\n9\n' } });
  await alice.push(`${alice.name}/demo`, { branch: 'topic', from: 'main', files: { 'a.txt': '1\n2\nthree\n4\n5\n6\n7\n9\nten\n', 'b.txt': 'b\n' } });
  await alice.must('POST', `${repo}/pulls`, { head: 'topic', base: 'main', title: 'Pull' });
  const reviews = `${repo}/pulls/1/reviews`;
  const short = { body: ({ state, body, user, stale, official, dismissed, comments_count, commit_id, team }) => ({ state, body, user: user.login, stale, official, dismissed, comments_count, commit_id, team }) };
  for (const event of ['APPROVED', 'COMMENT', 'REQUEST_CHANGES', 'PENDING', '', 'approve', 'APPROVE', 'REQUEST_REVIEW', 'DISMISSED', 'nonsense']) {
    await bob.post(reviews, { event, body: `by ${event}` }, short);
    await bob.post(reviews, { event }, short);
  }
  for (const event of ['APPROVED', 'REQUEST_CHANGES', 'COMMENT']) await alice.post(reviews, { event, body: 'my own' }, short);
  await carol.post(reviews, { body: 'pending', comments: [{ path: 'a.txt', body: 'new side', new_position: 3 }, { path: 'a.txt', body: 'old side', old_position: 8 }, { path: 'b.txt', body: 'other', new_position: 1 }] }, short);
  const pending = (await carol.send('GET', reviews)).json.find(({ state, user }) => state === 'PENDING' && user.login === carol.name);
  await alice.get(`${reviews}/${pending.id}`, { label: `${reviews}/{pending} of another` });
  await alice.get(`${reviews}/${pending.id}/comments`, { label: `${reviews}/{pending}/comments of another` });
  await carol.get(`${reviews}/${pending.id}/comments`);
  await carol.post(`${reviews}/${pending.id}`, { event: 'nonsense' }, short);
  await bob.post(`${reviews}/${pending.id}`, { event: 'APPROVED' });
  await carol.post(`${reviews}/${pending.id}`, { event: 'COMMENT', body: 'again' });
  await carol.post(reviews, { event: 'COMMENT', body: 'lines', commit_id: 'main', comments: [{ path: 'a.txt', body: 'x', new_position: 1 }] }, { body: 'ignore' });
  await carol.post(reviews, { event: 'COMMENT', comments: [{ path: 'nothing.txt', body: 'x', new_position: 1 }] }, { body: 'ignore' });
  await carol.post(reviews, { event: 'COMMENT', comments: [{ path: 'a.txt', body: '', new_position: 1 }] }, short);
  await carol.post(reviews, { event: 'COMMENT', comments: [{ path: 'a.txt', body: 'no position' }] }, { body: 'ignore' });
  await carol.post(reviews, { event: 'COMMENT', comments: 'x' });
  const line = (await carol.must('GET', `${reviews}/${pending.id}/comments`))[0];
  await carol.get(`${repo}/issues/comments/${line.id}`);
  await carol.patch(`${repo}/issues/comments/${line.id}`, { body: 'changed line' }, { body: ({ body }) => body });
  await alice.post(`${repo}/pulls/comments/${line.id}/resolve`);
  await alice.post(`${repo}/pulls/comments/${line.id}/resolve`);
  await carol.get(`${reviews}/${pending.id}/comments`, { body: (list) => list.map(({ body, resolver, position, original_position, path, diff_hunk }) => ({ body, resolver: resolver?.login, position, original_position, path, diff_hunk })) });
  await alice.post(`${repo}/pulls/comments/${line.id}/unresolve`);
  await carol.post(`${repo}/pulls/comments/${line.id}/resolve`);
  await bob.post(`${repo}/pulls/comments/${line.id}/unresolve`);
  await t.anonymous.post(`${repo}/pulls/comments/${line.id}/resolve`);
  await alice.post(`${repo}/pulls/comments/999999999/resolve`);
  await alice.post(`${repo}/pulls/comments/999999999/unresolve`);
  await alice.get(reviews, { body: (list) => list.map(({ state, user, body, dismissed, stale }) => [state, user.login, body, dismissed, stale]) });
  for (const query of ['limit=2', 'limit=2&page=2', 'limit=2&page=99']) await alice.get(`${reviews}?${query}`, { body: (list) => list.map(({ state }) => state) });
  const approval = (await alice.send('GET', reviews)).json.find(({ state, user }) => state === 'APPROVED' && user.login === bob.name);
  await carol.post(`${reviews}/${approval.id}/dismissals`, { message: 'not mine' });
  await alice.post(`${reviews}/${approval.id}/dismissals`, {}, short);
  await alice.post(`${reviews}/${approval.id}/dismissals`, { message: 'again' }, { body: 'ignore' });
  await alice.post(`${reviews}/${approval.id}/undismissals`, undefined, short);
  await alice.post(`${reviews}/${approval.id}/undismissals`, undefined, { body: 'ignore' });
  await alice.post(`${reviews}/${approval.id}/dismissals`, { message: 'with priors', priors: true }, short);
  await alice.post(`${reviews}/999999999/dismissals`, { message: 'x' });
  await alice.post(`${reviews}/999999999/undismissals`);
  await alice.post(`${reviews}/${pending.id}/dismissals`, { message: 'a comment' });
  await carol.delete(`${reviews}/${pending.id}`);
  await carol.get(`${reviews}/${pending.id}`);
}
