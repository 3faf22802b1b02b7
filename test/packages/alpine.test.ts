// On SQLite alone: the tests of the registry itself run on both.
import assert from 'node:assert/strict';
import { createHash, createVerify } from 'node:crypto';
import { describe, it } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { testServer } from '../support/server.ts';
import { tar } from './support/archives.ts';
import { inShort, registry } from './support/registry.ts';

const t = await testServer();
const alice = await t.user('alice');
const bob = await t.user('bob');
const packages = registry('alice');
const control = async (fields: Record<string, string> = {}) => {
  const lines = Object.entries({ pkgname: 'tool', pkgver: '1.0-r0', arch: 'x86_64', size: '5', ...fields });
  return gzipSync(
    await tar({ '.PKGINFO': `# made\n${lines.map(([name, value]) => `${name} = ${value}\n`).join('')}depend = libc\ndepend = so:x\n` }),
  );
};
const apk = async (fields?: Record<string, string>) =>
  Buffer.concat([
    gzipSync(await tar({ '.SIGN.RSA.x': 'y' })),
    await control(fields),
    gzipSync(await tar({ 'usr/x': 'x'.repeat(100_000) })),
  ]);
const upload = async (content: Uint8Array, path = 'v3/main') => inShort(await packages.put(alice, `alpine/${path}`, content));
const read = (path: string) => packages.get(t.anonymous, `alpine/${path}`);
const index = async (path: string) => gunzipSync((await read(`${path}/APKINDEX.tar.gz`)).bytes).toString();

describe('an Alpine repository', () => {
  it('signs what it lists', async () => {
    const [first, second, third] = [gzipSync(await tar({ '.SIGN.RSA.x': 'y' })), await control(), gzipSync(await tar({ 'usr/x': 'x' }))];
    const content = Buffer.concat([first, second, third]);
    assert.deepEqual(await upload(content), [201, '']);
    assert.deepEqual(await upload(content), [409, 'package file already exists']);
    const { bytes } = await read('v3/main/x86_64/APKINDEX.tar.gz');
    const name = /\.SIGN\.RSA\.(alice@[0-9a-f]{64}\.rsa\.pub)/.exec(gunzipSync(bytes).toString('latin1'))?.[1] ?? '';
    const key = await read('key');
    assert.equal(key.headers.get('content-disposition'), `attachment; filename="${name}"`);
    const begin = bytes.indexOf(Buffer.from([0x1f, 0x8b, 8]), 3);
    const signature = gunzipSync(bytes.subarray(0, begin)).subarray(512, 1024);
    assert.ok(createVerify('sha1').update(bytes.subarray(begin)).verify(key.text, signature));
    const checksum = createHash('sha1').update(second).digest('base64');
    const stanza = `C:Q1${checksum}\nP:tool\nV:1.0-r0\nA:x86_64\nS:${content.length}\nI:5\no:\nm:\nt:0\nD:libc so:x\n\n`;
    assert.equal(
      (await index('v3/main/x86_64')).split('\0').find((part) => part.includes('P:tool')),
      stanza,
    );
    assert.deepEqual((await read('v3/main/x86_64/tool-1.0-r0.apk')).bytes, content);
  });

  it('has so many architectures as it lists without effort', async () => {
    const refused: number[] = [];
    for (let number = 0; number < 101; number++) {
      const [status] = await upload(await apk({ arch: `cpu${number}` }), 'v3/many');
      if (status !== 201) refused.push(number);
    }
    assert.deepEqual(refused, [100]);
    assert.deepEqual(await upload(await apk({ arch: 'other' }), 'v3/many'), [400, 'the repository has 100 lists of packages already']);
    assert.deepEqual(await upload(await apk({ pkgname: 'more', arch: 'cpu7' }), 'v3/many'), [201, '']);
    assert.match(await index('v3/many/cpu7'), /P:more\n/);
    assert.deepEqual(await upload(await apk({ pkgname: 'again', arch: 'cpu8' }), 'v3/many'), [201, '']);
    assert.deepEqual(await upload(await apk({ arch: 'cpu100' }), 'v3/few'), [201, '']);
  });

  it('has packages for all architectures in the lists of each', async () => {
    await upload(await apk({ pkgname: 'docs', arch: 'noarch' }));
    await upload(await apk({ arch: 'riscv64' }));
    for (const architecture of ['x86_64', 'riscv64'])
      assert.match(await index(`v3/main/${architecture}`), new RegExp(`P:docs\nV:1.0-r0\nA:${architecture}\n`));
    assert.equal((await read('v3/main/x86_64/docs-1.0-r0.apk')).status, 200);
    assert.deepEqual(inShort(await read('v3/other/x86_64/docs-1.0-r0.apk')), [404, '']);
    assert.deepEqual(inShort(await read('v3/main/mips/APKINDEX.tar.gz')), [404, 'package file does not exist']);
    assert.equal((await alice.delete('/packages/alice/alpine/docs/1.0-r0')).status, 204);
    assert.ok(!(await index('v3/main/riscv64')).includes('P:docs'));
    const path = 'alpine/v3/main/riscv64/tool-1.0-r0.apk';
    for (const caller of [bob, t.anonymous]) assert.equal((await packages.delete(caller, path)).status, 401);
    assert.deepEqual([(await packages.delete(alice, path)).status, (await packages.delete(alice, path)).status], [204, 404]);
  });

  it('takes packages of Alpine alone', async () => {
    const refused = async (fields: Record<string, string>) => (await upload(await apk(fields)))[1];
    for (const pkgname of ['', 'a b', 'a/b', 'a|b']) assert.equal(await refused({ pkgname }), 'package name is invalid');
    for (const pkgver of ['', '1/2']) assert.equal(await refused({ pkgver }), 'package version is invalid');
    assert.equal(await refused({ arch: '' }), 'package architecture is invalid');
    assert.equal((await upload(gzipSync(await tar({ 'etc/.PKGINFO': '' }))))[1], 'PKGINFO file is missing');
    const header = Buffer.from([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 0]);
    const broken = [
      Buffer.alloc(0),
      Buffer.from('text'),
      await tar({ '.PKGINFO': '' }),
      (await apk()).subarray(0, 60),
      header,
      Buffer.concat([header, Buffer.alloc(9000, 'x')]),
    ];
    for (const content of broken) assert.equal((await upload(content))[0], 400);
    // More than a thousand times as long without compression.
    assert.match((await upload(gzipSync(Buffer.alloc(64_000_000))))[1], /times as long/);
    for (const path of ['a%7Cb/main', 'v3/a%0Ab', '%20/main'])
      assert.deepEqual(await upload(await apk(), path), [400, 'invalid branch or repository']);
  });

  it('is signed with a key of the name that its owner has now', async () => {
    const carl = await t.user('carl');
    const url = (name: string) => `//api/packages/${name}/alpine/v3/main`;
    await carl.send('PUT', url('carl'), { raw: await apk(), headers: { 'content-type': 'application/octet-stream' } });
    const signer = async (name: string) => {
      const { bytes } = await t.anonymous.send('GET', `${url(name)}/x86_64/APKINDEX.tar.gz`);
      return /\.SIGN\.RSA\.(\w+)@/.exec(gunzipSync(bytes).toString('latin1'))?.[1];
    };
    assert.equal(await signer('carl'), 'carl');
    await t.admin.must('POST', '/admin/users/carl/rename', { new_username: 'carla' });
    await t.settled();
    assert.equal(await signer('carla'), 'carla');
  });
});
