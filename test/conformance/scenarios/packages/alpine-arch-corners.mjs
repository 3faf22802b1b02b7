// Corners of the Alpine and Arch repositories: several branches and groups, names, packages for every machine, indexes after deletes.
import { gunzipSync } from 'node:zlib';
import { apk, pkginfo } from './_archives.mjs';
import { tgz, untar } from './_lib.mjs';

const alpine = (fields = {}) => apk({ pkgname: 'hello', pkgver: '2.12-r0', pkgdesc: 'Says hello', url: 'https://hello.example.org', builddate: 1710000000, size: 8192, arch: 'x86_64', license: 'MIT', ...fields });
const arch = (fields = {}) => tgz({ '.PKGINFO': pkginfo({ pkgname: 'hello', pkgbase: 'hello', pkgver: '2.12-3', pkgdesc: 'Says hello', url: 'https://hello.example.org', builddate: 1710000000, packager: 'Cleo', size: 8192, arch: 'x86_64', license: 'MIT', ...fields }), 'usr/bin/hello': '' });
const stanzas = (json, { bytes }) => untar(gunzipSync(bytes)).APKINDEX.toString().trim().split('\n\n').map((stanza) => stanza.split('\n').filter((line) => /^[PVA]:/.test(line)).join(' ')).sort();
const entries = (json, { bytes }) => Object.keys(untar(gunzipSync(bytes))).sort();

export default async function (t) {
  const owner = await t.user('owner');
  const api = `/packages/${owner.name}`;
  {
    const base = `//api/packages/${owner.name}/alpine`;
    const put = (raw, path = 'edge/main') => owner.put(`${base}/${path}`, undefined, { raw, type: 'application/octet-stream' });
    const index = (path) => t.anonymous.get(`${base}/${path}/APKINDEX.tar.gz`, { body: stanzas });
    for (const path of ['', '/edge', '/edge/main', '/edge/main/x86_64', '/edge/main/x86_64/none.apk']) await t.anonymous.get(`${base}${path}`);
    await t.anonymous.head(`${base}/key`, { body: 'ignore' });
    await put(alpine({ arch: 'noarch', pkgname: 'any' }));
    await index('edge/main/noarch');
    await index('edge/main/x86_64');
    await put(alpine());
    await put(alpine({ arch: 'aarch64' }));
    await put(alpine({ arch: 'noarch', pkgname: 'any', pkgver: '1.0-r1' }));
    for (const machine of ['noarch', 'x86_64', 'aarch64', 'mips']) await index(`edge/main/${machine}`);
    for (const [pkgname, pkgver] of [['Hello', '2.12-r0'], ['lib+x.y', '1_rc2-r0'], ['hello', '1.0'], ['@x', '1-r0']]) await put(alpine({ pkgname, pkgver }));
    for (const path of ['v3.20/main', 'edge/a_b-c.d', 'edge/', 'Edge/Main']) await put(alpine({ pkgver: '3-r0' }), path);
    await index('v3.20/main/x86_64');
    await index('Edge/Main/x86_64');
    await t.anonymous.get(`${base}/edge/main/X86_64/HELLO-2.12-r0.apk`, { body: 'sha256' });
    await t.anonymous.get(`${base}/edge/main/mips/any-2.12-r0.apk`, { body: 'sha256' });
    await t.anonymous.head(`${base}/edge/main/x86_64/hello-2.12-r0.apk`);
    await t.anonymous.head(`${base}/edge/main/x86_64/APKINDEX.tar.gz`);
    await t.anonymous.get(`${base}/edge/main/x86_64/hello-2.12-r0.apk`, { headers: { range: 'bytes=0-1' }, body: 'sha256' });
    await owner.delete(`${base}/edge/main/noarch/hello-2.12-r0.apk`);
    await owner.delete(`${base}/edge/none/x86_64/hello-2.12-r0.apk`);
    await owner.delete(`${base}/edge/main/x86_64/any-2.12-r0.apk`);
    await owner.delete(`${base}/edge/main/noarch/any-2.12-r0.apk`);
    await index('edge/main/x86_64');
    await owner.delete(`${api}/alpine/hello/2.12-r0`);
    await owner.delete(`${api}/alpine/hello`);
    await put(alpine());
    await index('edge/main/x86_64');
    await owner.get(`${api}?type=alpine`, { body: (json) => json.map(({ name, version }) => `${name} ${version}`).sort() });
  }
  {
    const base = `//api/packages/${owner.name}/arch`;
    const put = (raw, path = 'core') => owner.put(`${base}/${path}`, undefined, { raw, type: 'application/octet-stream' });
    const index = (path) => t.anonymous.get(`${base}/${path}`, { body: entries });
    for (const path of ['/core', '/core/x86_64', '/core/x86_64/none.pkg.tar.zst', '/core/x86_64/core.files', '/core/x86_64/other.db']) await t.anonymous.get(`${base}${path}`);
    await t.anonymous.head(`${base}/repository.key`, { body: 'ignore' });
    await put(arch({ arch: 'any', pkgname: 'every' }));
    await index('core/any/core.db');
    await index('core/x86_64/core.db');
    await put(arch());
    await put(arch({ arch: 'aarch64' }));
    await put(arch({ arch: 'any', pkgname: 'each' }));
    for (const name of ['x86_64/core.db', 'aarch64/core.db', 'any/core.db', 'mips/core.db', 'x86_64/core.files', 'x86_64/core.db.tar.gz', 'x86_64/core.files.tar.gz', 'x86_64/CORE.db', 'x86_64/wrong.db']) await index(`core/${name}`);
    for (const [pkgname, pkgver] of [['Hello', '2.12-3'], ['lib+x.y@z', '1:2.0_rc1-1.1'], ['-x', '1-1'], ['.x', '1-1'], ['hello', '1.0'], ['hello', '1-0-1'], ['hello', 'v:1-1']]) await put(arch({ pkgname, pkgver }));
    for (const path of ['a/b/c', 'Core', 'c%20c', 'a_b.c-d']) await put(arch({ pkgver: '3-1' }), path);
    await index('a/b/c/x86_64/c.db');
    await index('Core/x86_64/Core.db');
    await t.anonymous.get(`${base}/core/x86_64/HELLO-2.12-3-x86_64.pkg.tar.gz`, { body: 'sha256' });
    await t.anonymous.get(`${base}/core/aarch64/every-2.12-3-any.pkg.tar.gz`, { body: 'sha256' });
    await t.anonymous.get(`${base}/core/x86_64/lib+x.y@z-1:2.0_rc1-1.1-x86_64.pkg.tar.gz`, { body: 'sha256' });
    await t.anonymous.get(`${base}/core/x86_64/hello-2.12-3-x86_64.pkg.tar.gz`, { headers: { range: 'bytes=0-1' }, body: 'sha256' });
    await t.anonymous.get(`${base}/core/x86_64/hello-9-3-x86_64.pkg.tar.gz.sig`);
    await t.anonymous.head(`${base}/core/x86_64/core.db`);
    for (const path of ['core/hello/2.12-3/any', 'core/none/1-1/x86_64', 'none/hello/2.12-3/x86_64', 'core/every/2.12-3/x86_64', 'core/every/2.12-3/any']) await owner.delete(`${base}/${path}`);
    await index('core/x86_64/core.db');
    await owner.delete(`${api}/arch/hello`);
    await owner.delete(`${api}/arch/each`);
    await put(arch());
    await index('core/x86_64/core.db');
    await owner.get(`${api}?type=arch`, { body: (json) => json.map(({ name, version }) => `${name} ${version}`).sort() });
  }
}
