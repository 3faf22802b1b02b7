import { Runner } from './_runner.mjs';

export default async function (t) {
  const owner = await t.user('owner');
  const [reader, writer, stranger, admin] = [await t.user('reader'), await t.user('writer'), await t.user('stranger'), await t.user('admin')];
  const org = await t.org(owner, 'team');
  await owner.repo('demo');
  await owner.must('POST', `/orgs/${org}/repos`, { name: 'shared', auto_init: true });
  const repo = `/repos/${owner.name}/demo`;
  for (const [user, permission] of [[reader, 'read'], [writer, 'write'], [admin, 'admin']]) await owner.must('PUT', `${repo}/collaborators/${user.name}`, { permission });
  const ids = {};
  const levels = { repo, org: `/orgs/${org}`, user: '/user', orgRepo: `/repos/${org}/shared` };
  for (const [name, path] of Object.entries(levels)) {
    await Runner.at(t, owner, path, { name, labels: [`${name}-label`, 'self-hosted:docker://node:20'] });
    ids[name] = (await owner.must('GET', `${path}/actions/runners`)).runners[0].id;
  }
  // Each level sees its own only.
  for (const path of Object.values(levels)) {
    await owner.get(`${path}/actions/runners`);
    for (const id of Object.values(ids)) {
      await owner.get(`${path}/actions/runners/${id}`);
      await owner.patch(`${path}/actions/runners/${id}`, { disabled: true });
      await owner.patch(`${path}/actions/runners/${id}`, { disabled: null });
    }
    await owner.get(`${path}/actions/runners?disabled=true&limit=1&page=1`);
    await owner.get(`${path}/actions/runners?disabled=nonsense`);
    await owner.get(`${path}/actions/runners?disabled=`);
    await owner.get(`${path}/actions/runners?disabled=1`);
    await owner.get(`${path}/actions/runners?disabled=0`);
    await owner.get(`${path}/actions/runners?page=9`);
    for (const id of ['0', '-1', 'none', '999999999', '99999999999999999999']) {
      await owner.get(`${path}/actions/runners/${id}`);
      await owner.patch(`${path}/actions/runners/${id}`, { disabled: true });
      await owner.delete(`${path}/actions/runners/${id}`);
    }
    await owner.patch(`${path}/actions/runners/${ids.repo}`);
    await owner.patch(`${path}/actions/runners/${ids.repo}`, []);
    await owner.request('PATCH', `${path}/actions/runners/${ids.org}`, { raw: '{', type: 'application/json' });
    await owner.put(`${path}/actions/runners/${ids.repo}`, { disabled: true });
    await owner.post(`${path}/actions/runners/${ids.repo}`, { disabled: true });
    await owner.delete(`${path}/actions/runners/registration-token`);
  }
  // Who may
  for (const user of [reader, writer, stranger, t.anonymous, admin, t.admin]) {
    await user.get(`${repo}/actions/runners`, { body: (json) => json.total_count });
    await user.get(`${repo}/actions/runners/${ids.repo}`);
    await user.patch(`${repo}/actions/runners/${ids.repo}`, { disabled: false });
    await user.post(`${repo}/actions/runners/registration-token`, undefined, { body: 'ignore' });
    await user.get(`/orgs/${org}/actions/runners/${ids.org}`);
    await user.patch(`/orgs/${org}/actions/runners/${ids.org}`, { disabled: false });
    await user.delete(`/user/actions/runners/${ids.user}`);
    await user.get(`/admin/actions/runners/${ids.user}`);
  }
  for (const scopes of [['read:repository'], ['write:repository'], ['read:organization'], ['write:organization'], ['read:user'], ['write:user'], ['public-only', 'write:user', 'write:repository']]) {
    const token = await owner.token(scopes);
    for (const [level, path] of Object.entries(levels)) {
      await token.get(`${path}/actions/runners/${ids[level]}`, { body: 'ignore' });
      await token.patch(`${path}/actions/runners/${ids[level]}`, { disabled: false }, { body: 'ignore' });
      await token.post(`${path}/actions/runners/registration-token`, undefined, { body: 'ignore' });
    }
  }
  for (const scopes of [['read:admin'], ['write:admin'], ['write:repository']]) {
    const token = await t.admin.token(scopes);
    await token.get(`/admin/actions/runners/${ids.repo}`);
    await token.patch(`/admin/actions/runners/${ids.repo}`, { disabled: true });
  }
  await owner.get(`/repos/${owner.name}/none/actions/runners`);
  await owner.get('/orgs/no-such-org/actions/runners');
  await owner.must('PATCH', repo, { has_actions: false });
  await owner.get(`${repo}/actions/runners`);
  await owner.must('PATCH', repo, { has_actions: true, archived: true });
  await owner.post(`${repo}/actions/runners/registration-token`, undefined, { body: 'ignore' });
  await owner.patch(`${repo}/actions/runners/${ids.repo}`, { disabled: false });
  await owner.delete(`${repo}/actions/runners/${ids.repo}`);
  await t.admin.delete(`/admin/actions/runners/${ids.org}`);
  await owner.get(`/orgs/${org}/actions/runners`);
}
