// Searching repositories by everything together, and the lists of one's own.
export default async function (t) {
  const alice = await t.user('alice');
  const bob = await t.user('bob');
  const org = await t.org(alice, 'org');
  const uid = (await alice.must('GET', '/user')).id;
  const oid = (await alice.must('GET', `/orgs/${org}`)).id;
  const team = await alice.must('POST', `/orgs/${org}/teams`, { name: 'crew', permission: 'read', units: ['repo.code'] });
  const word = t.run;
  await alice.repo(`${word}-a`, { description: 'first thing' });
  await alice.repo(`${word}-b`, { private: true, description: `about ${word}` });
  await alice.repo(`${word}-c`, { template: true });
  await alice.must('POST', `/orgs/${org}/repos`, { name: `${word}-d`, auto_init: true });
  await alice.must('POST', `/orgs/${org}/repos`, { name: `${word}-e`, private: true });
  await alice.must('PUT', `/teams/${team.id}/repos/${org}/${word}-e`);
  await alice.must('PATCH', `/repos/${alice.name}/${word}-c`, { archived: true });
  await bob.must('POST', `/repos/${alice.name}/${word}-a/forks`, { name: `${word}-f` });
  await alice.must('PUT', `/repos/${alice.name}/${word}-a/topics`, { topics: [`${word}-topic`, 'other'] });
  await bob.must('PUT', `/user/starred/${alice.name}/${word}-a`);
  await bob.must('PUT', `/user/starred/${org}/${word}-d`);
  const names = { body: ({ ok, data }) => ({ ok, names: data?.map(({ full_name }) => full_name) }) };
  const search = (query, who = alice) => who.get(`/repos/search?q=${word}&${query}`, { ...names, label: `/repos/search?q=${word}&${query.replaceAll(uid, '{uid}').replaceAll(oid, '{oid}').replaceAll(team.id, '{team}')}` });
  for (const query of ['sort=alpha', 'sort=alpha&order=desc', 'sort=alpha&order=bogus', 'sort=bogus', 'sort=alpha&order=', 'is_private=false&sort=stars&order=desc', 'is_private=false&sort=forks&order=desc', 'sort=id', 'sort=id&order=desc', 'sort=size&limit=1', 'sort=forks&order=desc&limit=1', 'is_private=false&sort=lfs_size',
    'mode=fork', 'mode=source&sort=alpha', 'mode=mirror', 'mode=collaborative&sort=alpha', 'mode=bogus', 'mode=FORK', 'private=true&sort=alpha', 'private=false&sort=alpha', 'is_private=true&sort=alpha', 'is_private=false&sort=alpha', 'is_private=x', 'archived=true', 'archived=false&sort=alpha', 'template=true', 'template=false&sort=alpha',
    `uid=${uid}&sort=alpha`, `uid=${uid}&exclusive=true&sort=alpha`, `uid=${oid}&sort=alpha`, `uid=${uid}&mode=collaborative&sort=alpha`, `team_id=${team.id}`, 'team_id=999999999', 'uid=999999999', 'uid=x', `priority_owner_id=${oid}&sort=alpha`, `starredBy=${uid}`, `topic=true&sort=alpha`, 'includeDesc=true&sort=alpha', 'topic=true&includeDesc=true&sort=alpha', 'limit=2&sort=alpha', 'limit=2&page=2&sort=alpha', 'limit=2&page=99', 'page=0&sort=alpha', 'limit=-1&sort=alpha', 'limit=0&sort=alpha']) await search(query);
  for (const query of ['sort=alpha', 'private=true&sort=alpha', 'is_private=true', 'mode=fork']) { await search(query, bob); await search(query, t.anonymous); }
  await alice.get(`/repos/search?q=${word}-topic&topic=true`, names);
  await alice.get(`/repos/search?q=${alice.name}/${word}-a`, names);
  await alice.get(`/repos/search?q=${word}-a,${word}-b`, names);
  await alice.get('/repos/search?q=%25%25zzz', names);
  await bob.get(`/repos/search?q=${word}&starredBy=${(await bob.must('GET', '/user')).id}&sort=alpha`, { ...names, label: '/repos/search of starred' });
  const list = { body: (all) => all.map(({ full_name }) => full_name).sort() };
  for (const path of ['/user/repos', '/user/repos?limit=2&page=2', `/users/${alice.name}/repos`, `/users/${org}/repos`, `/orgs/${org}/repos`, '/user/starred', '/user/subscriptions', `/users/${bob.name}/starred`, `/users/${bob.name}/subscriptions`]) { await alice.get(path, list); await bob.get(path, list); }
  await alice.get(`/topics/search?q=${word}`);
  await alice.get(`/topics/search?q=${word}&limit=1&page=2`);
}
