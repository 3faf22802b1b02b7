// Who may read, publish and delete packages, further: teams without the unit, restricted, inactive and blocked accounts, tokens of each scope
// and for public things, and owners of each visibility; by the routes of package managers, the registry of containers, and the API.
export default async function (t) {
  const owner = await t.user('owner');
  const file = (who, version = '1.0') => `//api/packages/${who}/generic/tool/${version}/a.txt`;
  const status = async (caller, method, path, raw) => (await caller.send(method, path, { raw })).status;
  const limits = { restricted: true };
  const change = (user, fields) => t.admin.must('PATCH', `/admin/users/${user.name}`, { login_name: user.name, source_id: 0, ...fields });

  const owners = {};
  for (const visibility of ['public', 'limited', 'private']) {
    const user = await t.user(`user-${visibility}`, { visibility });
    const org = await t.org(owner, `org-${visibility}`, { visibility });
    await user.send('PUT', file(user.name), { raw: 'x' });
    await owner.send('PUT', file(org), { raw: 'x' });
    owners[`${visibility} user`] = user.name;
    owners[`${visibility} organization`] = org;
  }

  // teams of the private and of the limited organization
  const units = {
    'reader of packages': { 'repo.packages': 'read' },
    'writer of packages': { 'repo.packages': 'write' },
    'writer of code': { 'repo.code': 'write' },
    'reader of issues': { 'repo.issues': 'read' },
  };
  const people = {};
  for (const [who, units_map] of Object.entries(units)) {
    people[who] = await t.user(who.replaceAll(' ', '-'));
    for (const visibility of ['limited', 'private']) {
      const team = await owner.must('POST', `/orgs/${owners[`${visibility} organization`]}/teams`, { name: who.replaceAll(' ', '-'), permission: 'read', units_map });
      await owner.must('PUT', `/teams/${team.id}/members/${people[who].name}`);
    }
  }
  people.administrator = await t.user('administrator');
  for (const visibility of ['limited', 'private']) {
    const team = await owner.must('POST', `/orgs/${owners[`${visibility} organization`]}/teams`, { name: 'administrators', permission: 'admin' });
    await owner.must('PUT', `/teams/${team.id}/members/${people.administrator.name}`);
  }
  people.restricted = await t.user('restricted');
  await change(people.restricted, limits);
  people['restricted member'] = await t.user('restricted-member');
  await change(people['restricted member'], limits);
  const readers = (await owner.must('GET', `/orgs/${owners['private organization']}/teams`)).find(({ name }) => name === 'reader-of-packages');
  await owner.must('PUT', `/teams/${readers.id}/members/${people['restricted member'].name}`);
  people['no longer active'] = await t.user('no-longer-active');
  await change(people['no longer active'], { active: false });
  people['prohibited to sign in'] = await t.user('prohibited');
  await change(people['prohibited to sign in'], { prohibit_login: true });
  people['blocked by the owner'] = await t.user('blocked');
  await owner.must('PUT', `/user/blocks/${people['blocked by the owner'].name}`);

  const look = async (caller, name, version) => ({
    read: await status(caller, 'GET', file(name)),
    head: await status(caller, 'HEAD', file(name)),
    absent: await status(caller, 'GET', file(name, 'absent')),
    publish: await status(caller, 'PUT', file(name, version), 'x'),
    delete: await status(caller, 'DELETE', `//api/packages/${name}/generic/tool/${version}`),
    list: await status(caller, 'GET', `/packages/${name}?type=generic`),
    remove: await status(caller, 'DELETE', `/packages/${name}/generic/tool/absent`),
    tags: await status(caller, 'GET', `//v2/${name}/app/tags/list`),
    npm: await status(caller, 'GET', `//api/packages/${name}/npm/absent`),
    cargo: await status(caller, 'GET', `//api/packages/${name}/cargo/config.json`),
  });
  for (const [who, caller] of Object.entries(people)) {
    for (const [whose, name] of Object.entries(owners)) {
      t.record(`${who} and the packages of a ${whose}`, await look(caller, name, who.replaceAll(' ', '-')));
    }
  }

  // tokens: of their owner, of an administrator of the site, and of a member of teams
  const scopes = [['read:package'], ['write:package'], ['all'], ['read:user'], ['write:repository'], ['read:package', 'public-only'], ['write:package', 'public-only'], ['public-only', 'all']];
  const callers = { owner, writer: people['writer of packages'], admin: await t.user('site-admin', {}) };
  await change(callers.admin, { admin: true });
  for (const [who, account] of Object.entries(callers)) {
    for (const scope of scopes) {
      const token = await account.token(scope);
      const named = { ...owners, 'user that it is of': account.name };
      for (const [whose, name] of Object.entries(named)) {
        t.record(`token of ${who} for ${scope} and the packages of a ${whose}`, await look(token, name, `${who}-${scope.join('-').replaceAll(':', '-')}`));
      }
    }
  }

  // what was there goes away with its owner's visibility and with the membership
  const moving = await t.user('moving');
  await moving.send('PUT', file(moving.name), { raw: 'x' });
  for (const visibility of ['private', 'limited', 'public']) {
    await change(moving, { visibility });
    t.record(`an owner that is ${visibility} now`, {
      anonymous: await status(t.anonymous, 'GET', file(moving.name)),
      stranger: await status(owner, 'GET', file(moving.name)),
      restricted: await status(people.restricted, 'GET', file(moving.name)),
      himself: await status(moving, 'GET', file(moving.name)),
    });
  }
  const writers = (await owner.must('GET', `/orgs/${owners['private organization']}/teams`)).find(({ name }) => name === 'writer-of-packages');
  const lost = await people['writer of packages'].token(['write:package']);
  await owner.must('DELETE', `/teams/${writers.id}/members/${people['writer of packages'].name}`);
  t.record('a token of who has left the team', await look(lost, owners['private organization'], 'left'));
}
