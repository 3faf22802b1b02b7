// Corners of the packages API: odd parameters, links, teams, tokens, limited, private and renamed owners.
export default async function (t) {
  const owner = await t.user('owner');
  const other = await t.user('other');
  const put = (who, path, caller = owner) => caller.must('PUT', `//api/packages/${who}/generic/${path}`, undefined, { raw: path });
  const base = `/packages/${owner.name}`;
  const names = { body: (json) => json.map(({ type, name, version }) => `${type} ${name} ${version}`).sort() };
  for (const path of ['a_b/1.0/x', 'axb/1.0/x', 'Tool/2.0-RC1/X.txt', 'tool-2/1.0+b.1/x', 'un.der_score/v%201/x%20y']) await put(owner.name, path);

  // lists
  for (const query of ['q=a_b', 'q=%25', 'q=', 'type=', 'type=Generic', 'type=generic&type=npm', 'q=1.0', 'q=TOOL', 'page=0', 'page=-1', 'page=x', 'limit=0', 'limit=-1', 'limit=x', 'limit=1000', 'q=a%5C']) await owner.get(`${base}?${query}`, names);
  for (const query of ['limit=2', 'limit=2&page=2', 'limit=2&page=3', 'limit=2&page=4']) await owner.get(`${base}?${query}`, { body: (json) => json.length });
  await owner.head(base);
  await t.anonymous.head(base);
  await owner.get(`/packages/${owner.name.toUpperCase()}`, { ...names, label: '/packages/{OWNER}' });
  await owner.get(`/packages/${owner.name.toUpperCase()}/generic/TOOL`, { ...names, label: '/packages/{OWNER}/generic/TOOL' });
  await owner.get(`${base}/generic/tool/2.0-rc1`);
  await owner.get(`${base}/GENERIC/tool/2.0-rc1`);
  await owner.get(`${base}/pigeon/tool/1`);
  await owner.get(`${base}/pigeon/tool`);
  await owner.get(`${base}/pigeon/tool/-/latest`);
  await owner.get(`${base}/generic/tool-2/1.0%2Bb.1`, { body: ({ version }) => version });
  await owner.get(`${base}/generic/tool-2/1.0+b.1`, { body: ({ version }) => version });
  await owner.get(`${base}/generic/tool-2/1.0+b.1/files`, { body: (json) => json.map(({ name }) => name) });
  await owner.get(`${base}/generic/un.der_score/v%201/files`);
  await owner.get(`${base}/generic/un.der_score/v%201/files?page=2`);
  await owner.get(`${base}/generic/un.der_score/v%202/files`);
  await owner.get(`${base}/generic/Tool/-/latest`, { body: ({ name, version }) => [name, version] });
  for (const query of ['page=2', 'limit=1', 'page=0', 'limit=0']) await owner.get(`${base}/generic/a_b?${query}`, names);
  await owner.get('/packages');
  await owner.get('/packages/');
  await owner.put(`${base}/generic/a_b/1.0`);
  await owner.patch(`${base}/generic/a_b/1.0`);
  await owner.post(`${base}/generic/a_b`);

  // links
  await owner.repo('demo');
  await owner.repo('gone');
  await owner.repo('bare', { has_packages: false });
  await owner.must('PATCH', `/repos/${owner.name}/bare`, { has_packages: false });
  await owner.post(`${base}/generic/a_b/-/link/DEMO`);
  await owner.post(`${base}/generic/A_B/-/link/gone`);
  await owner.get(`${base}/generic/a_b/1.0`, { body: ({ repository }) => repository.full_name });
  await owner.post(`${base}/generic/axb/-/link/bare`);
  await owner.post(`${base}/generic/a_b/-/link/`);
  await owner.post(`${base}/pigeon/a_b/-/link/demo`);
  await owner.post(`${base}/npm/a_b/-/link/demo`);
  await owner.post(`${base}/npm/a_b/-/unlink`);
  await owner.must('DELETE', `/repos/${owner.name}/gone`);
  await owner.get(`${base}/generic/a_b/1.0`, { body: ({ repository }) => repository });
  await owner.post(`${base}/generic/a_b/-/link/demo`);
  await put(owner.name, 'a_b/2.0/x');
  await owner.get(`${base}/generic/a_b/2.0`, { body: ({ repository }) => repository.full_name });
  await owner.must('DELETE', `${base}/generic/a_b`);
  await put(owner.name, 'a_b/1.0/x');
  await owner.get(`${base}/generic/a_b/1.0`, { body: ({ repository }) => repository });
  await owner.get(`${base}/generic/a_b/1.0/files`, { body: (json) => json.map(({ name, size }) => ({ name, bytes: size })) });

  // tokens
  for (const scopes of [['read:package'], ['write:package'], ['read:repository'], ['write:user', 'write:organization'], ['all', 'public-only'], ['read:package', 'public-only'], ['public-only']]) {
    const token = await owner.token(scopes);
    t.record(`a token of ${scopes}`, {
      list: (await token.send('GET', base)).status, get: (await token.send('GET', `${base}/generic/axb/1.0`)).status,
      files: (await token.send('GET', `${base}/generic/axb/1.0/files`)).status, latest: (await token.send('GET', `${base}/generic/axb/-/latest`)).status,
      link: (await token.send('POST', `${base}/generic/axb/-/link/demo`)).status, unlink: (await token.send('POST', `${base}/generic/axb/-/unlink`)).status,
      download: (await token.send('GET', `//api/packages/${owner.name}/generic/axb/1.0/x`)).status,
      publish: (await token.send('PUT', `//api/packages/${owner.name}/generic/tok/${scopes.join('-').replaceAll(':', '-')}/x`, { raw: 'x' })).status,
      remove: (await token.send('DELETE', `${base}/generic/none/1.0`)).status, image: (await token.send('GET', '//v2/token')).status,
    });
  }
  await (await owner.token(['read:repository'])).get(`${base}/generic/axb/1.0`);
  await (await owner.token(['read:package'])).post(`${base}/generic/axb/-/link/demo`);
  await (await owner.token(['read:repository'])).get(`//api/packages/${owner.name}/generic/axb/1.0/x`);

  // owners that not everybody sees, and tokens for what is public
  for (const visibility of ['limited', 'private']) {
    const org = await t.org(owner, `org-${visibility}`, { visibility });
    await put(org, 'tool/1.0/x');
    const open = await owner.token(['all', 'public-only']);
    await open.get(`/packages/${org}`, names);
    const body = visibility === 'private' ? 'ignore' : 'auto';
    await open.get(`//api/packages/${org}/generic/tool/1.0/x`, { body });
    await open.put(`//api/packages/${org}/generic/tool/2.0/x`, undefined, { raw: 'x', body });
    await other.get(`/packages/${org}/generic/tool/1.0`, { body: ({ version }) => version });
    await other.post(`/packages/${org}/generic/tool/-/unlink`);
    await other.delete(`/packages/${org}/generic/tool/1.0`);
    await t.anonymous.get(`//api/packages/${org}/generic/tool/1.0/x`);
    await t.anonymous.head(`//api/packages/${org}/generic/tool/1.0/x`);
    const user = await t.user(`user-${visibility}`, { visibility });
    await put(user.name, 'tool/1.0/x', user);
    const own = await user.token(['all', 'public-only']);
    await own.get(`/packages/${user.name}`, names);
    await own.get(`//api/packages/${user.name}/generic/tool/1.0/x`, { body });
    await t.anonymous.get(`/packages/${user.name}`);
  }

  // teams
  const org = await t.org(owner, 'guild');
  const secret = await t.org(owner, 'lodge', { visibility: 'private' });
  await owner.must('POST', `/orgs/${org}/repos`, { name: 'hall', private: true });
  for (const place of [org, secret]) {
    await put(place, 'tool/1.0/x');
    for (const access of ['none', 'read', 'write', 'admin']) {
      const member = await t.user(`${access}-${place === org ? 'o' : 's'}`);
      const team = await owner.must('POST', `/orgs/${place}/teams`, access === 'admin' ? { name: access, permission: 'admin' } : { name: access, permission: 'read', units_map: { 'repo.packages': access, 'repo.issues': 'read' } });
      await owner.must('PUT', `/teams/${team.id}/members/${member.name}`);
      t.record(`a member with ${access} in ${place}`, {
        list: (await member.send('GET', `/packages/${place}`)).status, download: (await member.send('GET', `//api/packages/${place}/generic/tool/1.0/x`)).status,
        publish: (await member.send('PUT', `//api/packages/${place}/generic/tool/${access}/x`, { raw: 'x' })).status,
        link: (await member.send('POST', `/packages/${place}/generic/tool/-/link/hall`)).status, unlink: (await member.send('POST', `/packages/${place}/generic/tool/-/unlink`)).status,
        file: (await member.send('DELETE', `//api/packages/${place}/generic/tool/${access}/x`)).status, package: (await member.send('DELETE', `/packages/${place}/generic/none`)).status,
      });
    }
  }
  await owner.get(`/packages/${org}/generic/tool/1.0`);

  // a new name
  const before = await t.user('before');
  const after = t.unique('after');
  await put(before.name, 'tool/1.0/x', before);
  await t.admin.must('POST', `/admin/users/${before.name}/rename`, { new_username: after });
  await owner.get(`/packages/${before.name}`);
  await owner.get(`/packages/${before.name}/generic/tool/1.0`);
  await owner.get(`/packages/${after}`, names);
  await t.anonymous.get(`//api/packages/${before.name}/generic/tool/1.0/x`, { body: 'ignore' });
  await t.anonymous.get(`//api/packages/${after}/generic/tool/1.0/x`);
}
