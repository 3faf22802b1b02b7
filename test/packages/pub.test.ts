// On SQLite alone: the registry's own tests cover both databases
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Client } from '../support/client.ts';
import { testServer } from '../support/server.ts';
import { tar } from './support/archives.ts';
import { inShort, registry } from './support/registry.ts';

const t = await testServer({ packages: { limitSizePub: 300_000 } });
const alice = await t.user('alice');
const bob = await t.user('bob');
const packages = registry('alice');
const BASE = 'pub/api/packages';

const archive = async (files: Record<string, string>) => gzipSync(await tar(files));
const bundle = (version: string, more = '', files: Record<string, string> = {}) =>
  archive({ 'pubspec.yaml': `name: brush\nversion: ${version}\n${more}`, ...files });
async function send(content: Uint8Array<ArrayBuffer>, caller: Client = alice, field = 'file') {
  const form = new FormData();
  form.append(field, new Blob([content]), 'package.tar.gz');
  return await caller.send('POST', `//api/packages/alice/${BASE}/versions/new/upload`, { form });
}
const errorOf = async (content: Uint8Array<ArrayBuffer> | Promise<Buffer<ArrayBuffer>>) => {
  const { status, json } = await send(await content);
  return [status, json?.error?.code, json?.error?.message];
};
const versions = async () => {
  const { name, latest, versions } = (await packages.get(bob, `${BASE}/brush`)).json;
  return [name, latest.version, versions.map(({ version }: { version: string }) => version)];
};

describe('a package of Dart', () => {
  it('is published in three steps, listed in the order of versions, and downloaded', async () => {
    const offered = await packages.get(alice, `${BASE}/versions/new`);
    assert.equal(offered.headers.get('content-type'), 'application/vnd.pub.v2+json');
    assert.deepEqual(offered.json.fields, {});
    assert.match(offered.json.url, /\/api\/packages\/alice\/pub\/api\/packages\/versions\/new\/upload$/);
    const content = await bundle('1.10', 'topics: [one]\ndependencies:\n  local: {path: ../x}\npublish_to: ~\nscore: 3\n', {
      'README.md': '# Brush',
    });
    const sent = await send(content);
    assert.equal(sent.status, 204);
    const done = await alice.send('GET', `/${new URL(sent.headers.get('location') ?? '').pathname}`);
    assert.deepEqual([done.status, done.json], [200, { success: { message: '' } }]);
    assert.deepEqual(await errorOf(content), [409, 'Conflict', 'package version already exists']);
    for (const version of ['1.9.0', '1.10.0-dev.1', '2.0.0+1']) assert.equal((await send(await bundle(version))).status, 204);
    assert.deepEqual(await versions(), ['brush', '1.9.0', ['1.9.0', '1.10.0-dev.1', '1.10.0', '2.0.0+1']]);
    const { published, archive_url, ...shown } = (await packages.get(bob, `${BASE}/brush/1.10.0`)).json;
    assert.ok(Date.parse(published) > 0);
    const pubspec = { name: 'brush', version: 1.1, topics: ['one'], dependencies: { local: { path: '../x' } }, publish_to: null, score: 3 };
    assert.deepEqual(shown, { version: '1.10.0', pubspec });
    assert.deepEqual((await bob.send('GET', `/${new URL(archive_url).pathname}`)).bytes, content);
  });

  it('may repeat a part of its pubspec by an alias', async () => {
    assert.equal((await send(await archive({ 'pubspec.yaml': 'name: again\nversion: 1.0.0\none: &a [1]\ntwo: *a\n' }))).status, 204);
    const { pubspec } = (await packages.get(bob, `${BASE}/again/1.0.0`)).json;
    assert.deepEqual([pubspec.one, pubspec.two], [[1], [1]]);
  });

  it('may have texts in Base64 in its pubspec', async () => {
    const coded = (text: string) => archive({ 'pubspec.yaml': `name: coded\nversion: 1.0.0\nx: !!binary ${text}\n` });
    assert.deepEqual((await errorOf(coded('aGVsb*8='))).slice(0, 2), [400, 'Bad Request']);
    assert.equal((await send(await coded('"aGVs\n  bG8="'))).status, 204);
    assert.equal((await packages.get(bob, `${BASE}/coded/1.0.0`)).json.pubspec.x, 'hello');
  });

  it('is refused with the reason in its form', async () => {
    const invalid = async (content: Promise<Buffer<ArrayBuffer>>) => (await errorOf(content)).slice(1);
    assert.deepEqual(await invalid(archive({ 'a/pubspec.yaml': 'name: brush' })), ['Bad Request', 'Pubspec file is missing']);
    assert.deepEqual(await invalid(archive({ 'pubspec.yaml': 'name: a-b\nversion: 1.0.0' })), ['Bad Request', 'package name is invalid']);
    assert.deepEqual(await invalid(archive({ 'pubspec.yaml': 'name: [a]\nversion: 1.0.0' })), ['Bad Request', 'package name is invalid']);
    assert.deepEqual(await invalid(bundle('one')), ['Bad Request', 'package version is invalid']);
    assert.deepEqual(await invalid(bundle('3.0.0', 'x'.repeat(131_100))), ['Bad Request', 'Pubspec file is too large']);
    for (const more of [`x: ${'['.repeat(30_000)}`, 'a: &a [*a]', 'x: {']) {
      assert.deepEqual(await invalid(bundle('3.0.0', more)), ['Bad Request', 'the YAML cannot be read']);
    }
    assert.equal((await errorOf(Buffer.from('no archive')))[0], 400);
    assert.equal((await errorOf(Buffer.alloc(300_001)))[0], 403);
    const bare = await packages.post(alice, `${BASE}/versions/new/upload`, await bundle('3.0.0'));
    assert.deepEqual([bare.status, bare.json.error.message], [400, "request Content-Type isn't multipart/form-data"]);
    assert.equal((await send(await bundle('3.0.0'), alice, 'other')).status, 400);
    assert.equal((await packages.get(alice, `${BASE}/versions/new/finalize/brush/3.0.0`)).status, 404);
    assert.deepEqual((await packages.get(bob, `${BASE}/none`)).json, { error: { code: 'Not Found', message: '' } });
    assert.deepEqual(inShort(await packages.get(bob, `${BASE}/brush/files/3.0.0.tar.gz`)).slice(0, 1), [404]);
    assert.equal((await versions())[2].length, 4);
  });

  it('is published by nobody else', async () => {
    for (const caller of [bob, t.anonymous]) {
      assert.equal((await send(await bundle('3.0.0'), caller)).status, 401);
      assert.equal((await packages.get(caller, `${BASE}/versions/new`)).status, 401);
    }
  });
});
