// On SQLite alone: the tests of the registry itself run on both.
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { gunzipSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { createMessage, readKey, readSignature, verify } from 'openpgp';
import { findUser } from '../../src/access/find-user.ts';
import { openPgpSigner } from '../../src/packages/indexes/openpgp.ts';
import { byAlpmVersion } from '../../src/packages/versions/alpm.ts';
import { testServer } from '../support/server.ts';
import { tar, xz } from './support/archives.ts';
import { inShort, registry } from './support/registry.ts';

const t = await testServer();
const alice = await t.user('alice');
const bob = await t.user('bob');
const packages = registry('alice');
const files = (fields: Record<string, string> = {}) => {
  const lines = Object.entries({ pkgname: 'tool', pkgver: '1.0-1', arch: 'x86_64', ...fields }).map(
    ([name, value]) => `${name} = ${value}\n`,
  );
  return tar({ '.PKGINFO': lines.join(''), '.MTREE': '', 'usr/bin/tool': 'x' });
};
const pack = async (fields?: Record<string, string>) => zstdCompressSync(await files(fields));
const upload = async (content: Uint8Array, path = 'arch/extra') => inShort(await packages.put(alice, path, content));
const read = (path: string) => packages.get(t.anonymous, `arch/${path}`);
const database = async (path: string) => gunzipSync((await read(path)).bytes).toString();
const listed = async (path: string) =>
  [...(await database(path)).matchAll(/%NAME%\n(.*)\n\n(?:.|\n)*?%VERSION%\n(.*)\n/g)].map(([, name, version]) => `${name} ${version}`);

describe('an Arch repository', () => {
  it('has one key for all clients that need the first one at once', async () => {
    const read = await Promise.all(Array.from({ length: 6 }, () => packages.get(t.anonymous, 'arch/repository.key')));
    assert.deepEqual(new Set(read.map(({ status }) => status)), new Set([200]));
    assert.equal(new Set(read.map(({ text }) => text)).size, 1);
  });

  it('signs packages and databases', async () => {
    const content = await pack({ url: 'javascript:x', license: 'MIT' });
    assert.deepEqual(await upload(content), [201, '']);
    assert.deepEqual(await upload(gzipSync(await files())), [409, 'package file already exists']);
    const verificationKeys = await readKey({ armoredKey: (await read('repository.key')).text });
    for (const name of ['extra/x86_64/extra.db', 'extra/x86_64/tool-1.0-1-x86_64.pkg.tar.zst']) {
      const [{ bytes: binary }, { bytes: binarySignature }] = [await read(name), await read(`${name}.sig`)];
      const part = await packages.get(t.anonymous, `arch/${name}.sig`, { range: 'bytes=0-3' });
      assert.deepEqual([part.status, part.bytes], [206, binarySignature.subarray(0, 4)]);
      const signature = await readSignature({ binarySignature });
      const [verified] = (await verify({ message: await createMessage({ binary }), signature, verificationKeys })).signatures;
      assert.ok(await verified?.verified, name);
    }
    const owner = await findUser(t.context.db, 'alice');
    assert.ok(owner);
    const signer = await openPgpSigner(t.context, owner, 'arch');
    for (const binary of [Buffer.from('short'), Buffer.alloc(9 * 1024 * 1024, 'long')]) {
      const signed = await signer.signBinary(Readable.from([binary.subarray(0, 3), binary.subarray(3)], { objectMode: false }));
      const signature = await readSignature({ binarySignature: signed });
      const [verified] = (await verify({ message: await createMessage({ binary }), signature, verificationKeys })).signatures;
      assert.ok(await verified?.verified, `${binary.length} bytes`);
    }
    const text = await database('extra/x86_64/anything.files.tar.gz');
    for (const part of ['tool-1.0-1/desc', '%LICENSE%\nMIT\n\n', '%FILES%\nusr/bin/tool\n\n']) assert.ok(text.includes(part), part);
    assert.ok(!text.includes('javascript'));
    assert.deepEqual((await read('extra/x86_64/tool-1.0-1-x86_64.pkg.tar.zst')).bytes, content);
  });

  it('lists the newest version, and packages for all everywhere', async () => {
    for (const pkgver of ['1.10-1', '1.9-1', '1:0.1-1']) assert.deepEqual(await upload(await pack({ pkgver })), [201, '']);
    assert.deepEqual(await listed('extra/x86_64/extra.db'), ['tool 1:0.1-1']);
    assert.deepEqual(await upload(await xz(await files({ pkgname: 'docs', arch: 'any' }))), [201, '']);
    assert.deepEqual((await listed('extra/x86_64/extra.db')).sort(), ['docs 1.0-1', 'tool 1:0.1-1']);
    assert.deepEqual(await listed('extra/any/extra.db'), ['docs 1.0-1']);
    assert.equal((await read('extra/x86_64/docs-1.0-1-any.pkg.tar.xz')).status, 200);
    assert.deepEqual(inShort(await read('other/x86_64/other.db')), [404, '']);
  });

  it('has repositories with names of any depth, or none', async () => {
    await upload(await pack(), 'arch/team/testing');
    await upload(await pack(), 'arch');
    for (const path of ['team/testing/x86_64/testing.db', 'x86_64/alice.db']) assert.deepEqual(await listed(path), ['tool 1.0-1'], path);
    for (const path of ['arch/team/testing/tool/1.0-1/x86_64', 'arch/tool/1.0-1/x86_64']) {
      for (const caller of [bob, t.anonymous]) assert.equal((await packages.delete(caller, path)).status, 401);
      assert.deepEqual([(await packages.delete(alice, path)).status, (await packages.delete(alice, path)).status], [204, 404]);
    }
    assert.equal((await read('team/testing/x86_64/testing.db')).status, 404);
    assert.equal((await alice.delete('/packages/alice/arch/docs/1.0-1')).status, 204);
    assert.deepEqual(await listed('extra/x86_64/extra.db'), ['tool 1:0.1-1']);
  });

  it('takes packages of Arch alone', async () => {
    const refused = async (fields: Record<string, string>) => (await upload(await pack(fields)))[1];
    for (const pkgname of ['', 'a b', 'a/b']) assert.equal(await refused({ pkgname }), 'package name is invalid');
    for (const pkgver of ['', '1 0', '1/0']) assert.equal(await refused({ pkgver }), 'package version is invalid');
    for (const arch of ['', 'a|b', '../x']) assert.equal(await refused({ arch }), 'package architecture is invalid');
    assert.equal(await refused({ size: 'many' }), '.PKGINFO: size is not a number');
    assert.equal((await upload(gzipSync(await tar({ a: '' }))))[1], '.PKGINFO file is missing');
    assert.match((await upload(gzipSync(await tar({ 'a\nb': '' }))))[1], /control characters/);
    for (const content of ['', 'text']) assert.equal((await upload(Buffer.from(content)))[1], 'unsupported package container format');
    assert.deepEqual(await upload(await pack(), 'arch/a%7Cb'), [400, 'invalid repository']);
  });

  it('orders versions as vercmp does', () => {
    const ordered = ['1.0a', '1.0b', '1.0beta', '1.0p', '1.0', '1.0.a', '1.0.1', '1.0.10', '1.1-1', '1.1-2', '1.02', '1.10', '2', '1:0.1'];
    for (const [at, version] of ordered.entries()) {
      for (const later of ordered.slice(at + 1))
        assert.ok(byAlpmVersion(version, later) < 0 && byAlpmVersion(later, version) > 0, `${version} ${later}`);
    }
    assert.equal(byAlpmVersion('1.00', '1.0'), 0);
  });
});
