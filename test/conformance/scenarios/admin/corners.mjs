// What administrators do with every field and with wrong ones: accounts, badges, organizations, hooks, cron, addresses, runners.
/** The lists of hooks of the instance have those of others, too. */
export const alone = true;

export default async function (t) {
  const alice = await t.user('alice');
  const name = (one) => `${one}-${t.run}`;
  const make = (fields) => t.admin.post('/admin/users', fields);
  const account = (one, fields = {}) => ({ username: name(one), email: `${name(one)}@example.com`, password: 'Corpus-Passw0rd!', ...fields });
  await make(account('full', { full_name: 'Full Ä', login_name: 'elsewhere', source_id: 0, must_change_password: false, send_notify: false, restricted: true, visibility: 'private', created_at: '2020-01-02T03:04:05Z' }));
  await make(account('plain'));
  await make(account('plain'));
  await make(account('other', { email: `${name('plain')}@example.com` }));
  await make(account('weak', { password: 'short' }));
  await make(account('weak', { password: '' }));
  await make(account('limited', { visibility: 'limited', must_change_password: null }));
  for (const fields of [{ email: 'no address' }, { email: '' }, { visibility: 'bogus' }, { username: '' }, { username: 'a b' }, { username: 'api' }, { username: 'x'.repeat(41) }, { full_name: 'x'.repeat(101) }, { source_id: 999 }]) await make(account('wrong', fields));
  await alice.post('/admin/users', account('his'));
  await t.anonymous.post('/admin/users', account('his'));
  const edit = (fields, one = 'plain') => t.admin.patch(`/admin/users/${name(one)}`, { source_id: 0, login_name: name(one), ...fields });
  await edit({ full_name: 'New', email: `${name('new')}@example.com`, website: 'https://example.com', location: 'There', description: 'd', visibility: 'limited', max_repo_creation: 3, allow_git_hook: true, allow_import_local: true, allow_create_organization: false, restricted: true, active: true, admin: true, prohibit_login: false, must_change_password: false, password: 'Another-Passw0rd!' });
  await edit({ admin: false, restricted: false, active: false });
  await edit({ active: true, prohibit_login: true });
  await edit({ prohibit_login: false, max_repo_creation: -1 });
  for (const fields of [{ email: 'no address' }, { email: `${name('full')}@example.com` }, { password: 'short' }, { visibility: 'bogus' }, { website: 'no url' }, { full_name: 'x'.repeat(101) }, { location: 'x'.repeat(51) }, { description: 'x'.repeat(256) }]) await edit(fields);
  await edit({}, 'nobody');
  await t.admin.patch(`/admin/users/${name('plain')}`, {});
  await t.admin.post(`/admin/users/${name('plain')}/rename`, { new_username: name('renamed') });
  for (const new_username of ['', 'a b', alice.name, name('renamed')]) await t.admin.post(`/admin/users/${name('renamed')}/rename`, { new_username });
  await t.admin.get(`/admin/users/${name('renamed')}/badges`);
  await t.admin.post(`/admin/users/${name('renamed')}/badges`, {});
  await t.admin.delete(`/admin/users/${name('renamed')}/badges`, { badge_slugs: ['nothing'] });
  await t.admin.post(`/admin/users/${alice.name}/orgs`, { username: name('made'), full_name: 'Made', visibility: 'private', description: 'd', location: 'l', website: 'https://example.com' });
  await t.admin.post(`/admin/users/${alice.name}/orgs`, { username: name('made') });
  await t.admin.post(`/admin/users/${name('nobody')}/orgs`, { username: name('made2') });
  await t.admin.post(`/admin/users/${alice.name}/orgs`, { username: 'a b' });
  await t.admin.post(`/admin/users/${alice.name}/keys`, { title: 'x', key: 'no key' });
  await t.admin.delete(`/admin/users/${alice.name}/keys/999999999`);
  const logins = { body: (list) => list.map(({ login }) => login) };
  for (const query of [`q=${t.run}`, `q=${t.run}&sort=name`, `q=${t.run}&sort=name&order=desc`, `q=${t.run}&sort=bogus`, `q=${t.run}&is_admin=true`, `q=${t.run}&is_active=false`, `q=${t.run}&is_restricted=true`, `q=${t.run}&is_prohibit_login=true`, `q=${t.run}&is_2fa_enabled=true`, `q=${t.run}&visibility=private`, `q=${t.run}&visibility=bogus`, `q=${t.run}&login_name=elsewhere`, `q=${t.run}&source_id=0&login_name=${name('renamed')}`, `q=${t.run}&limit=1&page=2&sort=name`, `q=${t.run}&page=99`]) await t.admin.get(`/admin/users?${query}`, { body: (list) => list.map(({ login }) => login).sort() });
  for (const path of ['/admin/users', '/admin/orgs', '/admin/emails', '/admin/emails/search?q=x', '/admin/cron', '/admin/hooks', '/admin/unadopted', '/admin/actions/runners', '/admin/actions/jobs', '/admin/actions/runs']) { await alice.get(path); await t.anonymous.get(path); }
  await t.admin.get('/admin/cron?limit=50', { body: (list) => Object.keys(list[0]).sort() });
  await t.admin.post('/admin/cron/nothing');
  await t.admin.post('/admin/cron/check_repo_stats');
  await t.admin.get(`/admin/emails/search?q=${name('full')}`, { body: (list) => list.map(({ email, verified, primary, username }) => ({ email, verified, primary, username })) });
  await t.admin.get(`/admin/emails/search?q=${t.run}&limit=1`, { body: (list) => list.length });
  const hook = (await t.admin.post('/admin/hooks', { type: 'gitea', config: { url: 'http://127.0.0.1:1/', content_type: 'json', is_system_webhook: 'true' }, events: ['push', 'issues'], active: false, branch_filter: 'main', name: 'Named' })).json;
  await t.admin.get(`/admin/hooks/${hook.id}`);
  await t.admin.patch(`/admin/hooks/${hook.id}`, { config: { url: 'http://127.0.0.1:2/', content_type: 'form' }, events: ['release'], branch_filter: '{a,b}' });
  await t.admin.patch(`/admin/hooks/${hook.id}`, { active: false, branch_filter: '[' });
  await t.admin.get('/admin/hooks?type=system&limit=50', { body: (list) => list.some(({ id }) => id === hook.id) });
  await t.admin.get('/admin/hooks?type=default&limit=50', { body: (list) => list.some(({ id }) => id === hook.id) });
  await t.admin.get('/admin/hooks?type=all&limit=50', { body: (list) => list.some(({ id }) => id === hook.id) });
  await t.admin.get('/admin/hooks?type=bogus', { body: 'ignore' });
  for (const fields of [{ type: 'bogus', config: { url: 'http://127.0.0.1:1/', content_type: 'json' } }, { type: 'gitea', config: {} }, { type: 'gitea' }, { type: 'gitea', config: { url: 'http://127.0.0.1:1/', content_type: 'bogus' } }, { type: 'slack', config: { url: 'http://127.0.0.1:1/', content_type: 'json' } }, {}]) await t.admin.post('/admin/hooks', fields);
  await t.admin.delete(`/admin/hooks/${hook.id}`);
  await t.admin.delete(`/admin/hooks/${hook.id}`);
  await t.admin.get(`/admin/hooks/${hook.id}`);
  await t.admin.get('/admin/unadopted?pattern=nothing-at-all');
  await t.admin.post(`/admin/unadopted/${alice.name}/nothing`);
  await t.admin.delete(`/admin/unadopted/${alice.name}/nothing`);
  await t.admin.delete(`/admin/users/${name('full')}`);
  await t.admin.delete(`/admin/users/${name('full')}`);
  await t.admin.delete(`/admin/users/${name('renamed')}?purge=true`);
  await t.admin.delete(`/admin/users/${alice.name}`);
  await t.admin.delete(`/admin/users/${alice.name}?purge=true`);
  await t.admin.get(`/users/${alice.name}`);
}
