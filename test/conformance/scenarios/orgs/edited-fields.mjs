// Which fields of organizations and teams count where.
export default async function (t) {
  const owner = await t.user('owner');
  const org = await t.org(owner, 'org');
  const made = { username: t.unique('made'), email: 'made@example.com', repo_admin_change_team_access: true, location: 'here', website: 'https://example.com' };
  await t.admin.post(`/admin/users/${owner.name}/orgs`, made);
  await owner.get(`/orgs/${made.username}`);
  const team = await owner.must('POST', `/orgs/${org}/teams`, { name: 'crew', permission: 'read', units: ['repo.code'] });
  const shown = { body: ({ permission, includes_all_repositories, can_create_org_repo }) => ({ permission, includes_all_repositories, can_create_org_repo }) };
  for (const body of [{ includes_all_repositories: true }, { can_create_org_repo: true }, { permission: 'write', includes_all_repositories: true }, { includes_all_repositories: false }, { permission: 'write', includes_all_repositories: false }]) {
    await owner.patch(`/teams/${team.id}`, body, shown);
    await owner.get(`/teams/${team.id}`, shown);
  }
}
