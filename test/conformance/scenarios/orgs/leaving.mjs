// What a former member may still do in the repositories that they created in the organization.
export default async function (t) {
  const owner = await t.user('owner');
  const org = await t.org(owner, 'acme');
  for (const way of ['members', 'teams']) {
    const maker = await t.user(`maker-${way}`);
    const team = await owner.must('POST', `/orgs/${org}/teams`, { name: way, permission: 'write', units: ['repo.code'], can_create_org_repo: true });
    await owner.must('PUT', `/teams/${team.id}/members/${maker.name}`);
    const repo = `/repos/${org}/open-${way}`;
    const closed = `/repos/${org}/closed-${way}`;
    await maker.must('POST', `/orgs/${org}/repos`, { name: `open-${way}`, auto_init: true, default_branch: 'main' });
    await maker.must('POST', `/orgs/${org}/repos`, { name: `closed-${way}`, private: true, auto_init: true });
    await owner.delete(way === 'teams' ? `/teams/${team.id}/members/${maker.name}` : `/orgs/${org}/members/${maker.name}`);
    await maker.get(repo, { body: ({ permissions }) => permissions });
    await maker.get(closed, { body: ({ permissions }) => permissions });
    await owner.get(`${repo}/collaborators`, { body: (users) => users.map(({ login }) => login) });
    await owner.get(`${repo}/collaborators/${maker.name}`);
    await owner.get(`${repo}/collaborators/${maker.name}/permission`, { body: ({ permission }) => permission });
    await owner.get(`${closed}/collaborators/${maker.name}`);
    await owner.get(`${repo}/assignees`, { body: (users) => users.map(({ login }) => login) });
    await owner.get(`${repo}/reviewers`, { body: (users) => users.map(({ login }) => login) });
    await owner.get(`${repo}/subscribers`, { body: (users) => users.map(({ login }) => login) });
    await maker.post(`${repo}/branches`, { new_branch_name: 'late', old_branch_name: 'main' });
    // Not a member again: a collaborator whose permission is granted anew.
    await owner.put(`${repo}/collaborators/${maker.name}`, { permission: 'write' });
    await maker.get(repo, { body: ({ permissions }) => permissions });
  }
}
