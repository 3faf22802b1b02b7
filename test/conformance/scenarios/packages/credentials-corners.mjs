// Authorization headers that sign nobody in, where a request without one is served: by the routes of package managers, the registry of
// containers and its tokens.
export default async function (t) {
  const owner = await t.user('owner');
  await owner.send('PUT', `//api/packages/${owner.name}/generic/tool/1.0/a.txt`, { raw: 'x' });
  const base = `//api/packages/${owner.name}`;
  const paths = {
    file: `${base}/generic/tool/1.0/a.txt`,
    absent: `${base}/npm/absent`,
    'no such route': `${base}/no-type/x`,
    chef: `${base}/chef/api/v1/universe`,
    conan: `${base}/conan/v1/ping`,
    nuget: `${base}/nuget/index.json`,
    tags: `//v2/${owner.name}/app/tags/list`,
    registry: '//v2/',
    token: '//v2/token',
  };
  const basic = (text) => `Basic ${Buffer.from(text).toString('base64')}`;
  const good = await owner.token(['all']);
  const headers = {
    'no header': {},
    'neither a name nor a password': { authorization: basic(':') },
    'a name without a password': { authorization: basic(`${owner.name}:`) },
    'a password without a name': { authorization: basic(`:${owner.password}`) },
    'no colon': { authorization: basic('name') },
    'control characters': { authorization: basic('\0:\0') },
    'no Base64': { authorization: 'Basic !!!' },
    'no credentials': { authorization: 'Basic' },
    'another scheme': { authorization: 'Digest username="x"' },
    'one word': { authorization: 'x' },
    'a scheme without a token': { authorization: 'Bearer' },
    'a token that is none': { authorization: 'Bearer x' },
    'a token of three parts': { authorization: 'Bearer a.b.c' },
    'three words': { authorization: 'token a b' },
    'a key of NuGet that is none': { 'x-nuget-apikey': 'x' },
    'a good token': { authorization: `token ${good.secret}` },
  };
  for (const [what, given] of Object.entries(headers)) {
    const statuses = {};
    for (const [where, path] of Object.entries(paths)) statuses[where] = (await t.anonymous.send('GET', path, { headers: given })).status;
    t.record(what, statuses);
  }
  for (const path of [paths.file, paths.absent, paths.token]) await t.anonymous.get(path, { headers: { authorization: basic(':') } });
  await t.anonymous.put(`${base}/generic/tool/1.0/b.txt`, undefined, { raw: 'x', headers: { authorization: basic(':') } });
}
