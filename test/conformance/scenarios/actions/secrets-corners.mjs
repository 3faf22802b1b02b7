export default async function (t) {
  const owner = await t.user('owner');
  const [reader, writer, stranger] = [await t.user('reader'), await t.user('writer'), await t.user('stranger')];
  const [admin, member] = [await t.user('admin'), await t.user('member')];
  const org = await t.org(owner, 'team');
  await owner.repo('demo');
  await owner.repo('hidden', { private: true });
  const repo = `/repos/${owner.name}/demo`;
  for (const [user, permission] of [[reader, 'read'], [writer, 'write'], [admin, 'admin']]) await owner.must('PUT', `${repo}/collaborators/${user.name}`, { permission });
  const team = await owner.must('POST', `/orgs/${org}/teams`, { name: 'makers', permission: 'write', units: ['repo.code', 'repo.actions'], units_map: { 'repo.code': 'write', 'repo.actions': 'write' } });
  await owner.must('PUT', `/teams/${team.id}/members/${member.name}`);

  // Secrets and variables share the rules of names.
  for (const level of [repo, `/orgs/${org}`, '/user']) {
    for (const name of ['_', '_1', 'a1_', '0', 'gitea', 'github', 'github_', 'GITEA_', 'Github_token', 'ci', 'CI_1', 'a%2Fb', '%C3%A4', 'a'.repeat(255), 'FORGEJO_A', 'ACTIONS_X', 'RUNNER_X', '%20', 'a%0A']) {
      await owner.put(`${level}/actions/secrets/${name}`, { data: 'x' });
      await owner.post(`${level}/actions/variables/${name}`, { value: 'x' });
    }
    // Bodies
    for (const body of [{ data: '' }, { data: ' ' }, { data: null }, { data: 'x', description: 5 }, { data: 'x', description: null }, { data: 'x', description: 'd'.repeat(5000) }, { data: 'x', extra: 1 }, [], 'text', null]) await owner.put(`${level}/actions/secrets/BODY`, body);
    await owner.put(`${level}/actions/secrets/BODY`);
    await owner.request('PUT', `${level}/actions/secrets/FORM`, { raw: 'data=posted', type: 'application/x-www-form-urlencoded' });
    await owner.put(`${level}/actions/secrets/LONG`, { data: 'x'.repeat(65536) });
    await owner.put(`${level}/actions/secrets/LONGER`, { data: 'x'.repeat(65537) });
    await owner.delete(`${level}/actions/secrets/body`);
    await owner.delete(`${level}/actions/secrets/github_x`);
    await owner.delete(`${level}/actions/secrets/1`);
    await owner.get(`${level}/actions/secrets/LONG`);
    await owner.post(`${level}/actions/secrets/LONG`, { data: 'x' });
    await owner.patch(`${level}/actions/secrets/LONG`, { data: 'x' });
  }
  await owner.get(`${repo}/actions/secrets?limit=2`);
  await owner.get(`${repo}/actions/secrets?limit=2&page=9`);
  await owner.get(`${repo}/actions/secrets?limit=0&page=0`, { body: (json) => json.length });
  await owner.get(`${repo}/actions/secrets?limit=-1&page=-1`, { body: (json) => json.length });
  await owner.get(`/orgs/${org}/actions/secrets?limit=1&page=2`);

  // Who may
  for (const user of [reader, writer, admin, stranger, t.anonymous]) {
    await user.get(`${repo}/actions/secrets`, { body: (json) => json.length });
    await user.put(`${repo}/actions/secrets/WHO`, { data: 'x' });
    await user.delete(`${repo}/actions/secrets/WHO`);
    await user.get(`/repos/${owner.name}/hidden/actions/secrets`);
    await user.put(`/repos/${owner.name}/hidden/actions/secrets/WHO`, { data: 'x' });
  }
  for (const user of [member, stranger, t.anonymous, t.admin]) {
    await user.get(`/orgs/${org}/actions/secrets`, { body: (json) => json.length });
    await user.put(`/orgs/${org}/actions/secrets/WHO`, { data: 'x' });
    await user.delete(`/orgs/${org}/actions/secrets/WHO`);
  }
  for (const scopes of [['write:repository'], ['read:repository'], ['write:organization'], ['read:organization'], ['write:user'], ['read:user'], ['public-only', 'write:repository'], ['public-only', 'write:user'], ['write:admin']]) {
    const token = await owner.token(scopes);
    await token.get(`${repo}/actions/secrets?limit=1`);
    await token.put(`${repo}/actions/secrets/SCOPED`, { data: 'x' });
    await token.get(`/orgs/${org}/actions/secrets?limit=1`);
    await token.delete(`/orgs/${org}/actions/secrets/SCOPED`);
    await token.delete('/user/actions/secrets/SCOPED');
    if (!scopes.includes('public-only')) await token.get(`/repos/${owner.name}/hidden/actions/secrets`);
  }
  await owner.get('/orgs/no-such-org/actions/secrets');
  await owner.put('/orgs/no-such-org/actions/secrets/A', { data: 'x' });
  await owner.get(`/orgs/${owner.name}/actions/secrets`);

  // Without the unit, and in an archive
  await owner.must('PATCH', repo, { has_actions: false });
  await owner.get(`${repo}/actions/secrets?limit=1`);
  await owner.put(`${repo}/actions/secrets/OFF`, { data: 'x' });
  await owner.must('PATCH', repo, { has_actions: true });
  await owner.must('PATCH', repo, { archived: true });
  await owner.put(`${repo}/actions/secrets/ARCHIVED`, { data: 'x' });
  await owner.delete(`${repo}/actions/secrets/OFF`);
  await owner.get(`${repo}/actions/secrets?limit=1`);
}
