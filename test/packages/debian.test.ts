// On SQLite alone: the tests of the registry itself run on both.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gunzipSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { createMessage, readCleartextMessage, readKey, readSignature, verify } from 'openpgp';
import { testServer } from '../support/server.ts';
import { ar, tar, xz } from './support/archives.ts';
import { digestsOf, inShort, registry } from './support/registry.ts';

const t = await testServer();
const alice = await t.user('alice');
const bob = await t.user('bob');
const packages = registry('alice');
const control = (fields: Record<string, string> = {}) =>
  Object.entries({ Package: 'tool', Version: '1.0-1', Architecture: 'amd64', Maintainer: 'Ann <ann@example.com>', ...fields })
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('');
const pack = async (text: string, compress: (tar: Buffer) => Uint8Array | Promise<Uint8Array> = gzipSync, name = 'control.tar.gz') =>
  ar({ 'debian-binary': '2.0\n', [name]: Buffer.from(await compress(await tar({ './control': text }))), 'data.tar': '' });
const upload = async (content: Uint8Array, pool = 'stable/main') =>
  inShort(await packages.put(alice, `debian/pool/${pool}/upload`, content));
const read = (path: string) => packages.get(t.anonymous, `debian/${path}`);

describe('a Debian repository', () => {
  it('rebuilds only the lists that have changed', async () => {
    for (const cpu of ['amd64', 'arm64']) await upload(await pack(control({ Architecture: cpu })), 'two/main');
    const list = async (cpu: string) => (await read(`dists/two/main/binary-${cpu}/Packages`)).text;
    const before = await list('arm64');
    await t.context.db
      .updateTable('package_blocks')
      .set({ content: Buffer.from('stale') })
      .where('document', '=', 'main|arm64')
      .execute();
    await upload(await pack(control({ Version: '2.0-1' })), 'two/main');
    assert.match(await list('amd64'), /^Version: 2\.0-1$/m);
    assert.equal(await list('arm64'), before);
    const release = (await read('dists/two/Release')).text;
    for (const cpu of ['amd64', 'arm64']) {
      const text = await list(cpu);
      assert.ok(release.includes(` ${digestsOf(text).sha512} ${text.length} main/binary-${cpu}/Packages\n`), cpu);
    }
    await upload(await pack(control({ Version: '2.0-1', Architecture: 'arm64' })), 'two/main');
    assert.match(await list('arm64'), /^Version: 2\.0-1$/m);
  });

  it('has so many lists in a distribution as it writes without effort', async () => {
    const tool = async (cpu: string) => await pack(control({ Architecture: cpu }));
    for (let number = 0; number < 100; number++) {
      assert.deepEqual(
        await upload(await tool(`cpu${number % 50}`), `many/part${number % 2}${number < 50 ? '' : 'x'}`),
        [201, ''],
        `${number}`,
      );
    }
    const full = [400, 'the repository has 100 lists of packages already'];
    assert.deepEqual(await upload(await tool('cpu50'), 'many/part0'), full);
    assert.deepEqual(await upload(await tool('cpu0'), 'many/other'), full);
    const newer = await pack(control({ Version: '2.0-1', Architecture: 'cpu0' }));
    assert.deepEqual(await upload(newer, 'many/part0'), [201, '']);
    assert.deepEqual(await upload(await tool('cpu50'), 'few/part0'), [201, '']);
  });

  it('signs what it lists', async () => {
    const content = await pack(control({ Description: 'A tool\n of two lines' }));
    assert.deepEqual(await upload(content), [201, '']);
    assert.deepEqual(await upload(content), [409, 'package file already exists']);
    assert.deepEqual(await upload(await pack(control({ Architecture: 'arm64' }))), [201, '']);
    const list = await read('dists/stable/main/binary-amd64/Packages');
    const { md5, sha1, sha256, sha512 } = digestsOf(content);
    const digests = `MD5sum: ${md5}\nSHA1: ${sha1}\nSHA256: ${sha256}\nSHA512: ${sha512}\n`;
    const stanza = control({ Description: 'A tool\n of two lines' });
    assert.equal(list.text, `${stanza}Filename: pool/stable/main/tool_1.0-1_amd64.deb\nSize: ${content.length}\n${digests}`);
    const compressed = (await read('dists/stable/main/binary-amd64/Packages.gz')).bytes;
    assert.equal(gunzipSync(compressed).toString(), list.text);
    const { text } = await read('dists/stable/InRelease');
    const verificationKeys = await readKey({ armoredKey: (await read('repository.key')).text });
    const message = await readCleartextMessage({ cleartextMessage: text });
    const [signature] = (await verify({ message, verificationKeys })).signatures;
    assert.ok(await signature?.verified);
    const release = (await read('dists/stable/Release')).bytes;
    const detached = await readSignature({ armoredSignature: (await read('dists/stable/Release.gpg')).text });
    const [beside] = (await verify({ message: await createMessage({ binary: release }), signature: detached, verificationKeys }))
      .signatures;
    assert.ok(await beside?.verified);
    assert.match(release.toString(), /^Architectures: amd64 arm64$/m);
    const hash = digestsOf(compressed).sha256;
    assert.ok(release.toString().includes(` ${hash} ${compressed.length} main/binary-amd64/Packages.gz\n`));
    assert.deepEqual((await read(`dists/stable/main/binary-amd64/by-hash/SHA256/${hash}`)).bytes, compressed);
    assert.deepEqual(inShort(await read('dists/stable/main/binary-amd64/by-hash/CRC/0')), [404, '']);
    const contained = await read('dists/stable/main/binary-amd64/Packages.xz');
    assert.equal(contained.headers.get('content-length'), String(contained.bytes.length));
    assert.deepEqual(contained.bytes, await xz(list.bytes));
    const range = await packages.get(t.anonymous, 'debian/dists/stable/main/binary-amd64/Packages.xz', { range: 'bytes=3-40' });
    assert.deepEqual([range.status, range.bytes], [206, contained.bytes.subarray(3, 41)]);
    assert.deepEqual((await read('pool/stable/main/tool_1.0-1_amd64.deb')).bytes, content);
  });

  it('takes every compression that dpkg writes', async () => {
    const kinds: [string, string, (bytes: Buffer) => Uint8Array | Promise<Uint8Array>][] = [
      ['2', 'control.tar', (bytes) => bytes],
      ['3', 'control.tar.xz', xz],
      ['4', 'control.tar.zst/', zstdCompressSync],
    ];
    for (const [Version, name, compress] of kinds)
      assert.deepEqual(await upload(await pack(control({ Version }), compress, name)), [201, ''], name);
    assert.deepEqual(await upload(await pack(control(), gzipSync, 'control.tar.lz')), [400, 'unsupported compression algorithm']);
  });

  it('lists nothing that a package adds', async () => {
    const text = `${control({ Package: 'sly', Filename: 'https://other.example/x.deb\n and more', SHA256: 'x' })}\nPackage: other\nVersion: 9\n`;
    assert.deepEqual(await upload(await pack(text), 'sly/main'), [201, '']);
    const list = (await read('dists/sly/main/binary-amd64/Packages')).text;
    assert.equal(list.match(/^(?:Filename|SHA256|Package):/gm)?.length, 3);
    assert.ok(!list.includes('other'));
  });

  it('takes packages of Debian alone', async () => {
    const refused = async (fields: Record<string, string>) => (await upload(await pack(control(fields))))[1];
    for (const Package of ['', 'x', 'Tool', 'a/b']) assert.equal(await refused({ Package }), 'package name is invalid');
    // To clients these would be packages of other names or contents.
    for (const name of ['package', 'Package ', 'PACKAGE\t', 'Filename ', '#Size', '-a', 'SHA256\r', '\u00e4'])
      assert.match(await refused({ [name]: 'sudo' }), /^the control file has a (?:field twice|line that is not a field)$/, name);
    assert.equal(await refused({ Package: 'sane', Description: 'x\nno field' }), '');
    const { text } = await read('dists/stable/main/binary-amd64/Packages');
    assert.ok(text.includes('Package: sane') && !text.includes('no field'));
    for (const Version of ['', '1_0', '1/2', '1-']) assert.equal(await refused({ Version }), 'package version is invalid');
    for (const Architecture of ['', 'a/b', 'a b']) assert.equal(await refused({ Architecture }), 'package architecture is invalid');
    assert.deepEqual(await upload(ar({ 'debian-binary': '2.0\n' })), [400, 'control file is missing']);
    for (const content of ['', 'text', '!<arch>\nx', `!<arch>\n${'x'.repeat(60)}`]) {
      const [status, message] = await upload(Buffer.from(content));
      assert.equal(status, 400, message);
    }
    for (const pool of ['a%20b/main', '%20/main', 'stable/a%0Ab', 'stable/a%7Cb']) {
      assert.deepEqual(await upload(await pack(control()), pool), [400, 'invalid distribution or component'], pool);
    }
    const endless = Buffer.concat([ar({}), ...Array.from({ length: 200 }, () => ar({ x: '' }).subarray(8))]);
    assert.deepEqual(await upload(endless), [400, 'the archive has more than 100 members']);
  });

  it('has what is left after a deletion', async () => {
    const path = 'debian/pool/stable/main/tool/1.0-1/arm64';
    for (const caller of [bob, t.anonymous]) assert.equal((await packages.delete(caller, path)).status, 401);
    assert.equal((await packages.delete(alice, path)).status, 204);
    assert.deepEqual(inShort(await packages.delete(alice, path)), [404, 'package file does not exist']);
    assert.equal((await read('dists/stable/main/binary-arm64/Packages')).status, 404);
    assert.equal((await alice.delete('/packages/alice/debian/sly')).status, 204);
    assert.deepEqual(inShort(await read('dists/sly/Release')), [404, 'package file does not exist']);
  });
});
