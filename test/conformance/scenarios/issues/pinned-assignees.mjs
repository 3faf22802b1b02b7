// The order of several assignees, and of blocked issues of one second.
export default async function (t) {
  const [alice, bob, carol] = [await t.user('alice'), await t.user('bob'), await t.user('carol')];
  await alice.repo('demo');
  const demo = `/repos/${alice.name}/demo`;
  for (const { name } of [bob, carol]) await alice.must('PUT', `${demo}/collaborators/${name}`, { permission: 'write' });
  await alice.push(`${alice.name}/demo`, { branch: 'topic', from: 'main', files: { 'a.txt': 'a\n' } });
  const assignees = [carol.name, alice.name, bob.name];
  const brief = (found) => [found].flat().map(({ number, assignee, assignees }) => ({ number, assignee: assignee?.login, assignees: assignees?.map(({ login }) => login) }));
  await alice.post(`${demo}/issues`, { title: 'Issue', assignees }, { body: brief });
  await alice.post(`${demo}/pulls`, { title: 'Pull', head: 'topic', base: 'main', assignees }, { body: brief });
  for (const index of [1, 2]) await alice.must('POST', `${demo}/issues/${index}/pin`);
  for (const path of ['issues', 'issues/1', 'issues/2', 'issues/pinned', 'pulls', 'pulls/2', 'pulls/pinned']) await alice.get(`${demo}/${path}`, { body: brief });
  // Whoever is blocked is unassigned.
  await alice.put(`/user/blocks/${carol.name}`);
  await alice.get(`${demo}/issues/1`, { body: brief });
  await alice.get(`${demo}/issues/1/timeline`, { body: (events) => events.map(({ type, user, assignee, removed_assignee }) => ({ type, user: user.login, assignee: assignee?.login, removed_assignee })) });
}
