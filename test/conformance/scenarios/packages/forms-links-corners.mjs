// Which bodies publish packages, in what order versions are listed, what pip gets of packages that are not there, and what becomes of links when
// repositories and owners are renamed, transferred and deleted. Where former names of owners lead.
import { nextSecond, tgz, zip } from './_lib.mjs';

const PIP = 'application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html; q=0.1, text/html; q=0.01';
const SWIFT = 'application/vnd.swift.registry.v1+json';
const nuspec = (version) => `<?xml version="1.0"?><package><metadata><id>Tool</id><version>${version}</version><authors>A</authors><description>D</description></metadata></package>`;

export default async function (t) {
  const owner = await t.user('owner');
  const other = await t.user('other');
  const base = `//api/packages/${owner.name}`;

  // bodies
  const pubspec = tgz({ 'pubspec.yaml': 'name: brush\nversion: 1.0.0\n' });
  await owner.post(`${base}/pub/api/packages/versions/new/upload`, undefined, { raw: pubspec, type: 'application/octet-stream' });
  await owner.post(`${base}/pub/api/packages/versions/new/upload`, undefined, { raw: pubspec, type: 'multipart/mixed; boundary=x' });
  await owner.post(`${base}/chef/api/v1/cookbooks`, undefined, { raw: tgz({ 'metadata.json': '{"name":"web","version":"1.0.0"}' }), type: 'application/octet-stream' });
  await owner.post(`${base}/pypi`, undefined, { raw: 'x', type: 'application/octet-stream' });
  await owner.put(`${base}/swift/sea/Chart/1.0.0`, undefined, { raw: zip({ 'Package.swift': '// swift-tools-version:5.9\n' }), type: 'application/zip', headers: { accept: SWIFT } });
  const composer = (version) => zip({ 'composer.json': JSON.stringify({ name: 'acme/tool', version }) });
  await owner.put(`${base}/composer`, undefined, { form: { file: { content: composer('1.0.0'), filename: 'tool.zip' } } });
  await owner.put(`${base}/composer`, undefined, { raw: composer('1.1.0'), type: 'multipart/form-data; boundary=x' });
  await owner.get(`/packages/${owner.name}`, { body: (json) => json.map(({ type, version }) => `${type} ${version}`) });

  // orders of versions
  for (const version of ['1.0.0', '1.10.0', '1.9.0']) {
    await owner.must('PUT', `${base}/nuget/`, undefined, { raw: zip({ 'Tool.nuspec': nuspec(version) }), type: 'application/octet-stream' });
    await nextSecond();
  }
  await t.anonymous.get(`${base}/nuget/package/tool/index.json`);
  await owner.delete(`${base}/nuget/tool/1.10.0`);
  await t.anonymous.get(`${base}/nuget/package/tool/index.json`);

  // what is not there
  for (const path of ['pypi/simple/none', 'pypi/simple/none/', 'pypi/files/none/1.0/none-1.0.tar.gz', 'pypi/none', 'generic/none/1/none', 'none']) {
    await t.anonymous.get(`${base}/${path}`, { headers: { accept: PIP } });
  }

  // links
  const publish = (type, path, version = '1.0') => owner.must('PUT', `${base}/${type}/${path}/${version}/file`, undefined, { raw: version });
  for (const name of ['moved', 'renamed', 'deleted']) {
    await owner.repo(name);
    await publish('generic', name);
    await owner.post(`/packages/${owner.name}/generic/${name}/-/link/${name}`);
  }
  const shown = { body: ({ repository }) => repository?.full_name ?? null };
  await owner.must('PATCH', `/repos/${owner.name}/renamed`, { name: 'other-name' });
  await owner.get(`/packages/${owner.name}/generic/renamed/1.0`, shown);
  await owner.must('POST', `/repos/${owner.name}/moved/transfer`, { new_owner: other.name });
  await owner.get(`/packages/${owner.name}/generic/moved/1.0`, shown);
  await other.must('POST', `/repos/${owner.name}/moved/transfer/accept`);
  for (const caller of [owner, other, t.anonymous.with({})]) await caller.get(`/packages/${owner.name}/generic/moved/1.0`, shown);
  await owner.post(`/packages/${owner.name}/generic/moved/-/link/other-name`);
  await other.post(`/packages/${owner.name}/generic/moved/-/unlink`);
  await owner.must('DELETE', `/repos/${owner.name}/deleted`);
  await owner.get(`/packages/${owner.name}/generic/deleted/1.0`, shown);
  await owner.post(`/packages/${owner.name}/generic/deleted/-/unlink`);
  await other.must('DELETE', `/repos/${other.name}/moved`);
  await owner.get(`/packages/${owner.name}/generic/moved/1.0`, shown);

  // a former name
  await t.admin.must('POST', `/admin/users/${other.name}/rename`, { new_username: `${other.name}-now` });
  const former = `//api/packages/${other.name}`;
  for (const path of ['npm/tool', 'pypi/simple/tool/', 'pypi//simple/tool', 'nuget/', "nuget/FindPackagesById()?id='tool'", 'generic/a%20b/1/f%2Bx?a=b%2Fc']) await t.anonymous.get(`${former}/${path}`);
  await t.anonymous.put(`${former}/generic/tool/1/file`, undefined, { raw: 'x' });
}
