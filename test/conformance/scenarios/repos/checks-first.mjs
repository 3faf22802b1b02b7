// What is refused first, and forks of a repository that is offered to somebody.
export default async function (t) {
  const alice = await t.user('alice');
  const bob = await t.user('bob');
  await alice.repo('demo');
  const repo = `/repos/${alice.name}/demo`;
  await alice.patch(repo, { has_projects: true, projects_mode: 'nope', has_issues: true, external_tracker: {} });
  await alice.patch(repo, { has_projects: true, projects_mode: 'nope', has_wiki: true, external_wiki: { external_wiki_url: 'x' } });
  await alice.patch(repo, { has_projects: true, projects_mode: '' }, { body: ({ projects_mode }) => projects_mode });
  await alice.patch(repo, { projects_mode: 'nope' }, { body: ({ projects_mode }) => projects_mode });
  await alice.patch('/user/applications/oauth2/987654321', { name: 'x', redirect_uris: ['line\nline'] });
  await bob.must('POST', `${repo}/forks`, { name: 'copy' });
  await alice.must('POST', `${repo}/transfer`, { new_owner: bob.name });
  await bob.get(`/repos/${bob.name}/copy`, { body: ({ parent }) => parent.repo_transfer });
  await bob.get(`${repo}/forks`, { body: (list) => list.map(({ parent }) => parent.repo_transfer?.recipient.login) });
  await t.anonymous.get(`/repos/${bob.name}/copy`, { body: ({ parent }) => parent.repo_transfer?.recipient.login });
}
