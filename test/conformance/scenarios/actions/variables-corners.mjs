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

  for (const level of [repo, `/orgs/${org}`, '/user']) {
    const at = `${level}/actions/variables`;
    for (const body of [{ value: '' }, { value: null }, { value: 'x', name: 'ignored' }, { value: 'x', description: 5 }, [], 'text', null]) await owner.post(`${at}/body`, body);
    await owner.post(`${at}/none`);
    await owner.request('POST', `${at}/form`, { raw: 'value=posted&description=by+form', type: 'application/x-www-form-urlencoded' });
    await owner.get(`${at}/form`);
    await owner.post(`${at}/blank`, { value: ' \t\r\n ' });
    await owner.get(`${at}/blank`);
    await owner.post(`${at}/long`, { value: 'x'.repeat(65536) });
    await owner.get(`${at}/long`, { body: (json) => json.data.length });
    await owner.post(`${at}/longer`, { value: 'x'.repeat(65537) });
    await owner.post(`${at}/described`, { value: 'x', description: 'd'.repeat(5000) });
    await owner.get(`${at}/described`, { body: (json) => json.description.length });
    // A change
    await owner.put(`${at}/body`, {});
    await owner.put(`${at}/body`);
    await owner.put(`${at}/body`, { value: '' });
    await owner.put(`${at}/body`, { value: 'y', name: '' });
    await owner.get(`${at}/body`);
    await owner.put(`${at}/body`, { value: 'y', description: 'said' });
    await owner.put(`${at}/body`, { value: 'z' });
    await owner.get(`${at}/body`);
    await owner.put(`${at}/body`, { value: 'y', name: 'BODY' });
    await owner.put(`${at}/body`, { value: 'y', name: 'github_x' });
    await owner.put(`${at}/body`, { value: 'y', name: '1st' });
    await owner.put(`${at}/body`, { value: 'y'.repeat(65537) });
    await owner.put(`${at}/body`, { value: 5 });
    await owner.put(`${at}/missing`, { value: 'y', name: 'CI' });
    await owner.put(`${at}/github_x`, { value: 'y' });
    await owner.get(`${at}/github_x`);
    await owner.get(`${at}/a-b`);
    await owner.delete(`${at}/github_x`);
    await owner.delete(`${at}/a-b`);
    await owner.delete(`${at}/missing`);
    await owner.patch(`${at}/body`, { value: 'x' });
    await owner.delete(`${at}/long`);
    await owner.get(`${at}?limit=2`, { body: (json) => json.map(({ name, data }) => [name, data]) });
    await owner.get(`${at}?limit=1&page=9`);
    await owner.get(`${at}?limit=0`, { body: (json) => json.length });
    await owner.get(`${at}?page=-1&limit=-1`, { body: (json) => json.length });
  }

  // Who may
  for (const user of [reader, writer, admin, stranger, t.anonymous, t.admin]) {
    await user.get(`${repo}/actions/variables`, { body: (json) => json.length });
    await user.get(`${repo}/actions/variables/form`);
    await user.post(`${repo}/actions/variables/WHO`, { value: 'x' });
    await user.put(`${repo}/actions/variables/WHO`, { value: 'y' });
    await user.delete(`${repo}/actions/variables/WHO`);
    await user.get(`/repos/${owner.name}/hidden/actions/variables`);
    await user.post(`/repos/${owner.name}/hidden/actions/variables/WHO`, { value: 'x' });
  }
  for (const user of [member, stranger, t.anonymous, t.admin]) {
    await user.get(`/orgs/${org}/actions/variables/form`);
    await user.get(`/orgs/${org}/actions/variables`, { body: (json) => json.length });
    await user.post(`/orgs/${org}/actions/variables/WHO`, { value: 'x' });
    await user.put(`/orgs/${org}/actions/variables/WHO`, { value: 'y' });
    await user.delete(`/orgs/${org}/actions/variables/WHO`);
  }
  for (const scopes of [['write:repository'], ['read:repository'], ['write:organization'], ['read:organization'], ['write:user'], ['read:user'], ['public-only', 'write:repository'], ['public-only', 'read:user']]) {
    const token = await owner.token(scopes);
    for (const level of [repo, `/orgs/${org}`, '/user', ...(scopes.includes('public-only') ? [] : [`/repos/${owner.name}/hidden`])]) {
      await token.get(`${level}/actions/variables/form`);
      await token.put(`${level}/actions/variables/form`, { value: 'x' });
      await token.delete(`${level}/actions/variables/missing`);
    }
  }
  await t.anonymous.get('/user/actions/variables');
  await owner.get('/orgs/no-such-org/actions/variables');
  await owner.get(`/orgs/${owner.name}/actions/variables`);

  await owner.must('PATCH', repo, { has_actions: false });
  await owner.get(`${repo}/actions/variables/form`);
  await owner.must('PATCH', repo, { has_actions: true, archived: true });
  await owner.post(`${repo}/actions/variables/ARCHIVED`, { value: 'x' });
  await owner.put(`${repo}/actions/variables/form`, { value: 'x' });
  await owner.delete(`${repo}/actions/variables/form`);
}
