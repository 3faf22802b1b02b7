// On SQLite alone: the registry's own tests cover both databases
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Client } from '../support/client.ts';
import { testServer } from '../support/server.ts';
import { zip } from './support/archives.ts';
import { digestsOf } from './support/registry.ts';

const t = await testServer({ packages: { limitSizeSwift: 300_000 } });
const alice = await t.user('alice');
const bob = await t.user('bob');
const BASE = '//api/packages/alice/swift';

const type = (kind: string) => `application/vnd.swift.registry.v1+${kind}`;
const get = (path: string, kind = 'json', caller: Client = bob) => caller.get(`${BASE}/${path}`, { headers: { accept: type(kind) } });
/** A form as the package manager of Swift sends it: parts with media types, without file names. */
function put(path: string, parts: Record<string, Buffer | string>, caller: Client = alice) {
  const raw = Buffer.concat([
    ...Object.entries(parts).flatMap(([name, content]) => [
      Buffer.from(`--x\r\nContent-Disposition: form-data; name="${name}"\r\nContent-Type: application/zip\r\n\r\n`),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ]),
    Buffer.from('--x--\r\n'),
  ]);
  return caller.send('PUT', `${BASE}/${path}`, {
    raw,
    headers: { accept: type('json'), 'content-type': 'multipart/form-data; boundary=x' },
  });
}
const source = (version: string) => `// swift-tools-version:${version}\nimport PackageDescription\n`;
const archive = zip({
  'chart/Tests/Fixtures/Package.swift': 'of the fixture',
  'chart/Package.swift': source('5.9'),
  'chart/Package@swift-5.5.0.swift': source('5.5'),
  'chart/image.png': Buffer.from([0xff, 0, 0xfe, 0x0d, 0x0a]),
});
const problem = async (sent: ReturnType<typeof put>) => {
  const { status, json, headers } = await sent;
  return [status, json?.detail, headers.get('content-type')];
};

describe('a package of Swift', () => {
  it('is published, described and downloaded', async () => {
    const metadata = JSON.stringify({
      description: 'Draws',
      author: { givenName: 'Ann', familyName: 'Clark' },
      licenseURL: 'javascript:x',
      repositoryURLs: ['https://git.example.com/chart'],
    });
    const sent = await put('sea/Chart/1.10', { 'source-archive': archive, metadata });
    assert.deepEqual([sent.status, sent.headers.get('content-version')], [201, '1']);
    await put('sea/Chart/1.9.0', { metadata: '', 'source-archive': archive });
    const listed = await get('sea/chart');
    assert.deepEqual(Object.keys(listed.json.releases), ['1.10.0', '1.9.0']);
    assert.match(listed.headers.get('link') ?? '', /\/api\/packages\/alice\/swift\/sea\/chart\/1\.10\.0>; rel="latest-version"$/);
    assert.match(listed.json.releases['1.9.0'].url, /\/api\/packages\/alice\/swift\/sea\/Chart\/1\.9\.0$/);
    const shown = (await get('sea/Chart/1.10.0')).json;
    assert.deepEqual(shown.resources, [{ name: 'source-archive', type: 'application/zip', checksum: digestsOf(archive).sha256 }]);
    assert.deepEqual(shown.metadata, {
      '@context': ['http://schema.org/'],
      '@type': 'SoftwareSourceCode',
      name: 'Chart',
      version: '1.10.0',
      description: 'Draws',
      author: { '@type': 'Person', name: 'Ann Clark', givenName: 'Ann', familyName: 'Clark' },
      programmingLanguage: { '@type': 'ComputerLanguage', name: 'Swift', url: 'https://swift.org' },
      repositoryURLs: ['https://git.example.com/chart'],
    });
    const read = await get('sea/Chart/1.10.0.zip', 'zip');
    assert.deepEqual([read.bytes, read.headers.get('digest')], [archive, `sha256=${digestsOf(archive).sha256}`]);
    assert.deepEqual((await get('identifiers?url=https://git.example.com/chart')).json, { identifiers: ['sea.Chart'] });
    assert.equal((await get('identifiers?url=https://git.example.com/other')).status, 404);
  });

  it('has three numbers as its version, and not more', async () => {
    assert.equal((await put('sea/Wave/1.2.3.4', { 'source-archive': archive })).status, 201);
    assert.deepEqual(Object.keys((await get('sea/Wave')).json.releases), ['1.2.3']);
    assert.deepEqual(await problem(put('sea/Wave/1.2.3', { 'source-archive': archive })), [
      409,
      'package version already exists',
      'application/problem+json',
    ]);
  });

  it('has a manifest for each version of Swift', async () => {
    const manifest = async (query: string) => {
      const { status, text, headers } = await get(`sea/Chart/1.9.0/Package.swift${query}`, 'swift');
      return status === 303 ? new URL(headers.get('location') ?? '').pathname : text;
    };
    assert.equal(await manifest(''), source('5.9'));
    assert.equal(await manifest('?swift-version=5.5'), source('5.5'));
    for (const version of ['6.0', 'constructor', '..']) {
      assert.equal(await manifest(`?swift-version=${version}`), '/api/packages/alice/swift/sea/Chart/1.9.0/Package.swift');
    }
  });

  it('is refused with a problem document', async () => {
    const json = 'application/problem+json';
    assert.deepEqual(await problem(put('sea/Chart/1.9.0', { 'source-archive': archive })), [409, 'package version already exists', json]);
    assert.deepEqual(await problem(put('sea/Chart/two', { 'source-archive': archive })), [400, 'malformed version: two', json]);
    assert.deepEqual(await problem(put('s_ea/Chart/2.0.0', { 'source-archive': archive })), [400, '', json]);
    assert.deepEqual(await problem(put('sea/Chart/2.0.0', { metadata: '{}' })), [400, 'unable to read source-archive file', json]);
    const invalid = async (parts: Record<string, Buffer | string>) => (await problem(put('sea/Chart/2.0.0', parts)))[1];
    assert.equal(await invalid({ 'source-archive': zip({ 'a.swift': '' }) }), 'Package.swift file is missing');
    assert.equal(await invalid({ 'source-archive': zip({ 'Package.swift': ' '.repeat(131_073) }) }), 'Package.swift file is too large');
    assert.equal(await invalid({ 'source-archive': archive, metadata: '{' }), 'the metadata is not JSON');
    assert.match(await invalid({ 'source-archive': archive, metadata: '{"keywords":7}' }), /strings only/);
    assert.match(await invalid({ 'source-archive': archive, metadata: ' '.repeat(300_000) }), /more than 262144 bytes/);
    assert.match(
      await invalid({ 'source-archive': zip(Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`${i}/Package.swift`, '']))) }),
      /100 manifests/,
    );
    assert.match(await invalid({ 'source-archive': 'no archive' }), /cannot be read/);
    assert.equal((await put('sea/Chart/2.0.0', { 'source-archive': Buffer.alloc(300_001) })).status, 403);
    const bare = await alice.send('PUT', `${BASE}/sea/Chart/2.0.0`, { raw: archive, headers: { accept: type('json') } });
    assert.deepEqual([bare.status, bare.json.detail], [400, 'unable to read source-archive file']);
    const cut = {
      raw: '--x\r\nContent-Disposition: form-data; name="metadata"\r\n\r\n{',
      headers: { accept: type('json'), 'content-type': 'multipart/form-data; boundary=x' },
    };
    assert.equal((await alice.send('PUT', `${BASE}/sea/Chart/2.0.0`, cut)).status, 400);
    assert.match((await get('sea/Chart', 'zip')).json.detail, /^Unexpected accept header\. Should be/);
    assert.deepEqual(Object.keys((await get('sea/Chart')).json.releases), ['1.10.0', '1.9.0']);
  });

  it('is listed without the releases that were deleted', async () => {
    await alice.must('DELETE', '/packages/alice/swift/sea.Chart/1.10.0');
    const { json, headers } = await get('sea/Chart');
    assert.deepEqual(Object.keys(json.releases), ['1.9.0']);
    assert.match(headers.get('link') ?? '', /\/1\.9\.0>/);
    await alice.must('DELETE', '/packages/alice/swift/sea.Chart/1.9.0');
    assert.equal((await get('sea/Chart')).status, 404);
  });

  it('is published by nobody else', async () => {
    for (const caller of [bob, t.anonymous])
      assert.equal((await put('sea/Chart/2.0.0', { 'source-archive': archive }, caller)).status, 401);
    assert.equal((await alice.post(`${BASE}/login`)).status, 200);
    assert.deepEqual((await t.anonymous.post(`${BASE}/login`)).json, { status: 401, detail: '' });
  });
});
