// What clients read outside of the API: health, descriptions, feeds, raw files, archives, downloads, keys, redirects, go-get.
export default async function (t) {
  const alice = await t.user('alice', { full_name: 'Alice' });
  await alice.repo('demo');
  await alice.repo('hidden', { private: true });
  const at = `//${alice.name}/demo`;
  const repo = `/repos/${alice.name}/demo`;
  await alice.push(`${alice.name}/demo`, { files: { 'dir/a b.txt': 'text\n', 'page.html': '<b>x</b>\n', 'pic.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>\n', 'script.js': 'x\n', 'bin.dat': '\u0000\u0001', 'größe.txt': 'ä\n' } });
  const rel = await alice.must('POST', `${repo}/releases`, { tag_name: 'v1.0', name: 'One', body: 'notes' });
  await alice.must('POST', `${repo}/releases/${rel.id}/assets?name=tool.txt`, undefined, { form: { attachment: { content: 'tool\n', filename: 'a.txt' } } });
  const status = { body: 'ignore' };
  const get = (path, who = t.anonymous, options = {}) => who.get(path, options);
  await get('//api/healthz', t.anonymous, { body: ({ status }) => status });
  await t.anonymous.head('//api/healthz');
  await get('//api/v1/swagger', t.anonymous, status);
  await get('//swagger.v1.json', t.anonymous, { body: ({ swagger, basePath }) => ({ swagger, basePath }) });
  for (const path of ['raw/branch/main/README.md', 'raw/branch/main/page.html', 'raw/branch/main/pic.svg', 'raw/branch/main/script.js', 'raw/branch/main/dir/a%20b.txt', 'raw/branch/main/gr%C3%B6%C3%9Fe.txt', 'raw/tag/v1.0/README.md', 'raw/branch/main/dir', 'raw/branch/main/nothing', 'raw/branch/nothing/README.md', 'raw/main/README.md', 'raw/commit/' + 'f'.repeat(40) + '/README.md', 'media/branch/main/README.md', 'media/tag/v1.0/page.html', 'releases/download/v1.0/tool.txt', 'releases/download/v1.0/nothing.txt', 'releases/download/v9/tool.txt']) {
    await get(`${at}/${path}`);
    await t.anonymous.head(`${at}/${path}`, status);
  }
  for (const path of ['archive/main.zip', 'archive/main.tar.gz', 'archive/v1.0.zip', 'archive/main.bundle', 'archive/main.rar', 'archive/nothing.zip', 'archive/main']) await get(`${at}/${path}`, t.anonymous, { body: 'size' });
  for (const path of ['releases/latest', 'releases/latest/download/tool.txt', 'src/branch/main/README.md', 'src/main', 'commits/main', 'tree/main', 'wiki', 'src']) await get(`${at}/${path}`, t.anonymous, status);
  for (const path of ['', '/', '/releases.rss', '/releases.atom', '/tags.rss', '/tags.atom', '/rss/branch/main', '/atom/branch/main', '/rss/branch/main/README.md', '.rss', '.atom', '/releases/tag/v1.0', '/activity', '/stars', '/forks', '/watchers']) await get(`${at}${path}`, t.anonymous, status);
  await get(`//nobody-${t.run}.keys`);
  for (const path of [`${alice.name}.rss`, `${alice.name}.atom`, `nobody-${t.run}.png`, `nobody-${t.run}.rss`, alice.name]) await get(`//${path}`, t.anonymous, status);
  await get(`//${alice.name}/hidden/raw/branch/main/README.md`, t.anonymous, status);
  await get(`//${alice.name}/hidden/raw/branch/main/README.md`, alice, status);
  await get(`//${alice.name}/hidden.rss`, t.anonymous, status);
  await get(`${at}?go-get=1`, t.anonymous, { body: 'ignore' });
  await get('//.well-known/openid-configuration', t.anonymous, { body: (doc) => Object.keys(doc).sort() });
  await get(`//.well-known/webfinger?resource=acct:${alice.name}@${new URL(t.base).host}`, t.anonymous, { body: 'ignore' });
  await get('//.well-known/nodeinfo');
  await get('//.well-known/nothing', t.anonymous, status);
  await get('//explore/repos', t.anonymous, status);
  await get('//api/internal/hook', t.anonymous, status);
  await get('//api', t.anonymous, status);
  await get('//api/v1', t.anonymous, status);
  await get('//api/v1/', t.anonymous, status);
  await get('//api/v2/version', t.anonymous, status);
  await get('//API/V1/version', t.anonymous, status);
  await get('//api/v1//version', t.anonymous, status);
  await get('//api/v1/version/', t.anonymous, status);
  await get('//login/oauth/keys', t.anonymous, { body: ({ keys }) => keys.map(({ kty, alg, use }) => ({ kty, alg, use })) });
}
