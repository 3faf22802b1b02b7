// Corners of the RPM repository: groups, epochs, names, signed packages, errata, what the metadata says after deletes.
import { gunzipSync } from 'node:zlib';
import { rpm, rpmPackages, xmlLines } from './_archives.mjs';

const hello = (fields = {}) => ({ name: 'hello', version: '2.12', release: '3.fc40', summary: 'Says hello', description: 'Greets', buildTime: 1710000000, buildHost: 'b', size: 8192, license: 'MIT', url: 'https://hello.example.org', arch: 'x86_64', ...fields });
const names = (json, { bytes }) => rpmPackages(gunzipSync(bytes)).map((lines) => lines.filter((line) => /^package\/(name|arch|version|location)/.test(line)));

export default async function (t) {
  const owner = await t.user('owner');
  const root = `//api/packages/${owner.name}/rpm`;
  const api = `/packages/${owner.name}`;
  const put = (raw, path = '/upload', caller = owner) => caller.put(`${root}${path}`, undefined, { raw, type: 'application/x-rpm' });
  for (const path of ['', '/', '/a.repo', '/repodata/none.xml', '/repodata/primary.xml.gz', '/package/hello/1/x86_64', '/package/hello/1', '/a/b/c.repo']) await t.anonymous.get(`${root}${path}`, { body: (json, { text }) => text.trim().split('\n').map((line) => line.replace(/^name=.*/, 'name={name}').replace(/^\[.*\]$/, '[{name}]')) });
  await put(rpm(hello()));
  await put(rpm(hello({ epoch: 3, version: '1.0' })));
  await put(rpm(hello({ version: '1.0' })));
  await put(rpm(hello({ name: 'lib+x.y_z-devel', version: '1~rc1^git', release: '1' })));
  await put(rpm(hello({ name: 'Hello' })));
  await put(rpm(hello({ url: 'no url', name: 'odd' })));
  await put(rpm(hello({ sourceRpm: undefined, arch: 'src', name: 'sources' })));
  await put(rpm(hello()), '/group/upload');
  await put(rpm(hello()), '/Group/Sub/upload');
  await put(rpm(hello()), '//upload');
  await t.anonymous.get(`${root}/repodata/primary.xml.gz`, { body: names });
  await t.anonymous.get(`${root}/group/repodata/primary.xml.gz`, { body: names });
  await t.anonymous.get(`${root}/Group/Sub/repodata/primary.xml.gz`, { body: names });
  await t.anonymous.get(`${root}/group/sub/repodata/primary.xml.gz`, { body: names });
  await t.anonymous.get(`${root}/group/none/repodata/repomd.xml`);
  await owner.get(`${api}/rpm/hello/3-1.0-3.fc40`);
  await owner.get(`${api}?type=rpm`, { body: (json) => json.map(({ name, version }) => `${name} ${version}`).sort() });
  await t.anonymous.get(`${root}/package/hello/3-1.0-3.fc40/x86_64`, { body: 'sha256' });
  await t.anonymous.get(`${root}/package/hello/3-1.0-3.fc40/x86_64/anything.rpm`, { body: 'sha256' });
  await t.anonymous.get(`${root}/package/HELLO/2.12-3.FC40/X86_64`, { body: 'sha256' });
  await t.anonymous.get(`${root}/package/hello/2.12-3.fc40/src`);
  await t.anonymous.get(`${root}/package/sources/2.12-3.fc40/src`, { body: 'sha256' });
  await t.anonymous.get(`${root}/package/hello/2.12-3.fc40/x86_64`, { headers: { range: 'bytes=0-3' }, body: 'sha256' });
  for (const name of ['repomd.xml', 'repomd.xml.asc', 'primary.xml.gz', 'filelists.xml.gz', 'other.xml.gz', 'updateinfo.xml.gz', 'repomd.xml.key']) await t.anonymous.head(`${root}/repodata/${name}`);
  await t.anonymous.head(`${root}.repo`);
  await t.anonymous.head(`${root}/repository.key`);

  // errata
  const fix = (id, more = {}) => ({ from: 'a@example.org', status: 'stable', type: 'bugfix', version: '1', id, title: id, severity: 'Low', description: 'Fixes', issued: { date: '2024-03-01 10:00:00' }, updated: { date: '2024-03-02 10:00:00' }, references: [], pkg_list: [{ short: 'f', packages: [{ arch: 'x86_64', name: 'hello', version: '2.12', release: '3.fc40', filename: 'hello.rpm' }] }], ...more });
  const errata = (path, body) => owner.post(`${root}${path}`, body);
  const updates = { body: (json, { bytes }) => [...gunzipSync(bytes).toString().matchAll(/<update [^]*?<\/update>/g)].map(([text]) => xmlLines(text).map((line) => line.replace(/date=(?!2024).*/, 'date={now}'))) };
  await errata('/package/hello/2.12-3.fc40/errata', [fix('A-1'), fix('A-2', { type: 'enhancement', rights: 'Me', release: '40', summary: 'S', solution: 'Do', pushcount: '1' })]);
  await t.anonymous.get(`${root}/repodata/updateinfo.xml.gz`, updates);
  await errata('/package/hello/2.12-3.fc40/errata', [fix('A-1', { description: 'Again', pkg_list: [] })]);
  await errata('/package/hello/1.0-3.fc40/errata', [fix('A-1')]);
  await t.anonymous.get(`${root}/repodata/updateinfo.xml.gz`, updates);
  await errata('/package/hello/2.12-3.fc40/errata', []);
  await errata('/package/hello/2.12-3.fc40/errata', [{}]);
  await errata('/package/none/1/errata', [fix('B')]);
  await errata('/group/package/hello/2.12-3.fc40/errata', [fix('G-1')]);
  await t.anonymous.get(`${root}/group/repodata/updateinfo.xml.gz`, updates);
  await t.anonymous.get(`${root}/repodata/repomd.xml`, { body: (json, { text }) => [...text.matchAll(/<data type="([^"]*)"/g)].map(([, what]) => what) });

  // deletes
  for (const path of ['/package/hello/9/x86_64', '/package/hello/2.12-3.fc40/mips', '/package/none/1/x86_64', '/none/package/hello/2.12-3.fc40/x86_64', '/package/hello/1.0-3.fc40/x86_64', '/group/package/hello/2.12-3.fc40/x86_64']) await owner.delete(`${root}${path}`);
  await t.anonymous.get(`${root}/group/repodata/repomd.xml`);
  await t.anonymous.get(`${root}/group/repodata/primary.xml.gz`);
  await owner.get(`${api}/rpm/hello/2.12-3.fc40/files`, { body: (json) => json.map(({ name }) => name).sort() });
  await owner.delete(`${api}/rpm/hello/2.12-3.fc40`);
  await put(rpm(hello()));
  await t.anonymous.get(`${root}/repodata/primary.xml.gz`, { body: names });
}
