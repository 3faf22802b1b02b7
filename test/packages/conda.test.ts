// On SQLite alone: the tests of the registry itself run on both.
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { decompress } from '../../src/packages/archives/decompress.ts';
import { run as compress } from '../../src/packages/indexes/bzip2-task.ts';
import { testServer } from '../support/server.ts';
import { tar, zip } from './support/archives.ts';
import { digestsOf, registry } from './support/registry.ts';

const t = await testServer();
const alice = await t.user('alice');
const packages = registry('alice');
const index = (fields: object = {}) =>
  JSON.stringify({ name: 'hello', version: '1.0', build: 'h1_0', subdir: 'linux-64', depends: ['libgcc'], ...fields });
const conda = async (fields?: object) => zip({ 'info-hello.tar.zst': zstdCompressSync(await tar({ 'info/index.json': index(fields) })) });
const publish = async (content: Uint8Array, file = 'hello.conda') => {
  const { status, text } = await packages.put(alice, `conda/${file}`, content);
  return text === '' ? status : [status, JSON.parse(text).message];
};
const list = async (path: string) => (await packages.get(t.anonymous, `conda/${path}/repodata.json`)).json;

describe('a conda channel', () => {
  it('lists packages of both formats by platform', async () => {
    const content = await conda();
    assert.equal(await publish(content), 201);
    assert.deepEqual(await publish(content), [409, 'package file already exists']);
    const older = await compress(
      await tar({ 'info/index.json': index({ build: 'h0_0' }), 'info/about.json': '{"home": "javascript:alert(1)"}' }),
    );
    assert.equal(await publish(older, 'hello.tar.bz2'), 201);
    assert.equal(await publish(await conda(), 'nightly/edge/hello.conda'), 201);
    const data = await list('linux-64');
    const { md5, sha256 } = digestsOf(content);
    const { depends, size, ...found } = data['packages.conda']['hello-1.0-h1_0.conda'];
    assert.deepEqual([depends, size, found.md5, found.sha256, found.subdir], [['libgcc'], content.length, md5, sha256, 'linux-64']);
    assert.deepEqual(Object.keys(data.packages), ['hello-1.0-h0_0.tar.bz2']);
    assert.deepEqual(Object.keys((await list('nightly/edge/linux-64'))['packages.conda']), ['hello-1.0-h1_0.conda']);
    assert.deepEqual(await list('noarch'), { reason: 'Not Found', message: '' });
    const compressed = (await packages.get(t.anonymous, 'conda/linux-64/current_repodata.json.bz2')).bytes;
    const plain = Buffer.concat(await Array.fromAsync(decompress(Readable.from([compressed]), 'bzip2')));
    assert.deepEqual(JSON.parse(plain.toString()), data);
    for (const name of ['repodata.json.zst', 'current_repodata.json.zst']) {
      const { bytes, headers } = await packages.get(t.anonymous, `conda/linux-64/${name}`);
      assert.deepEqual([JSON.parse(zstdDecompressSync(bytes).toString()), headers.get('content-type')], [data, 'application/zstd']);
    }
    assert.equal((await t.anonymous.send('HEAD', '//api/packages/alice/conda/linux-64/repodata.json.zst')).status, 200);
    assert.equal((await t.anonymous.send('HEAD', '//api/packages/alice/conda/linux-64/repodata.json.gz')).status, 404);
    assert.deepEqual((await packages.get(t.anonymous, 'conda/linux-64/hello-1.0-h0_0.tar.bz2')).bytes, Buffer.from(older));
    for (const path of ['noarch/hello-1.0-h1_0.conda', 'nightly/linux-64/hello-1.0-h1_0.conda', 'linux-64/index.html']) {
      assert.equal((await packages.get(t.anonymous, `conda/${path}`)).status, 404, path);
    }
  });

  it('takes packages of conda alone', async () => {
    for (const name of ['', 'Hello', 'a b', 'a!']) assert.deepEqual(await publish(await conda({ name })), [400, 'package name is invalid']);
    for (const version of ['', '1-2', '1/2'])
      assert.deepEqual(await publish(await conda({ version })), [400, 'package version is invalid']);
    assert.deepEqual(await publish(await conda({ subdir: '../x' })), [400, 'package structure is invalid']);
    assert.deepEqual(await publish(await conda({ depends: [1] })), [400, 'info/index.json: depends has the wrong type']);
    assert.deepEqual(await publish(zip({ 'metadata.json': '{}' })), [400, 'package structure is invalid']);
    assert.deepEqual(await publish(await conda(), 'hello.zip'), [400, '']);
    assert.deepEqual(await publish(await compress(await tar({ 'info/about.json': '{}' })), 'x.tar.bz2'), [
      400,
      'package structure is invalid',
    ]);
    for (const file of ['x.conda', 'x.tar.bz2']) {
      const { status } = await packages.put(alice, `conda/${file}`, 'text');
      assert.equal(status, 400, file);
    }
  });

  it('compresses more than the library takes at once', async () => {
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, number) => number).join('\n'));
    const plain = Buffer.concat(await Array.fromAsync(decompress(Readable.from([await compress(bytes)]), 'bzip2')));
    assert.ok(plain.equals(bytes));
  });
});
