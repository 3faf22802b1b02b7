// On SQLite alone: the registry's own tests cover both databases
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { exemptManifests } from '../../src/packages/container/cleanup.ts';
import { testServer } from '../support/server.ts';
import { digestsOf } from './support/registry.ts';

const t = await testServer();
const alice = await t.user('alice');

const MANIFEST = 'application/vnd.oci.image.manifest.v1+json';
const INDEX = 'application/vnd.oci.image.index.v1+json';
const [CONFIG, LAYER] = ['{"os":"linux","architecture":"arm64"}', 'a layer'];
const id = (bytes: string) => `sha512:${digestsOf(bytes).sha512}`;
const part = (mediaType: string, bytes: string) => ({ mediaType, digest: id(bytes), size: Buffer.byteLength(bytes) });
const manifest = JSON.stringify({
  schemaVersion: 2,
  mediaType: MANIFEST,
  config: part('application/vnd.oci.image.config.v1+json', CONFIG),
  layers: [part('application/vnd.oci.image.layer.v1.tar', LAYER)],
});
const indexOf = (type: string, bytes: string) => JSON.stringify({ schemaVersion: 2, mediaType: INDEX, manifests: [part(type, bytes)] });
const push = (image: string, bytes: string, digest = id(bytes)) =>
  alice.send('POST', `//v2/alice/${image}/blobs/uploads?digest=${digest}`, { raw: bytes, type: 'application/octet-stream' });
const put = (image: string, reference: string, raw: string, type = MANIFEST) =>
  alice.send('PUT', `//v2/alice/${image}/manifests/${reference}`, { raw, type });

it('an image is pushed and pulled by SHA-512', async () => {
  for (const bytes of [CONFIG, LAYER]) {
    const { status, headers } = await push('app', bytes);
    assert.deepEqual([status, headers.get('docker-content-digest')], [201, id(bytes)]);
  }
  assert.equal((await push('app', LAYER, id('another'))).status, 400);
  const { status, headers } = await put('app', id(manifest), manifest);
  assert.deepEqual([status, headers.get('docker-content-digest')], [201, id(manifest)]);
  assert.equal((await put('app', id('another'), manifest)).status, 400);
  const pulled = await alice.get(`//v2/alice/app/manifests/${id(manifest)}`);
  assert.deepEqual([pulled.text, pulled.headers.get('docker-content-digest')], [manifest, id(manifest)]);
  assert.equal((await alice.get(`//v2/alice/app/blobs/${id(LAYER)}`)).text, LAYER);
  assert.equal((await alice.get(`//v2/alice/other/blobs/${id(LAYER)}`)).status, 404);
  assert.equal((await alice.send('POST', `//v2/alice/copy/blobs/uploads?mount=${id(LAYER)}&from=alice/app`)).status, 201);
  assert.equal((await alice.send('DELETE', `//v2/alice/copy/blobs/${id(LAYER)}`)).status, 202);
  assert.equal((await alice.get(`//v2/alice/copy/blobs/${id(LAYER)}`)).status, 404);
});

it('an index lists indexes, and keeps what it lists from cleanup rules whatever digest it names it by', async () => {
  for (const bytes of [CONFIG, LAYER]) await push('nested', bytes);
  const inner = indexOf(MANIFEST, manifest);
  const byName = `sha256:${digestsOf(manifest).sha256}`;
  assert.equal((await put('nested', byName, manifest)).status, 201);
  assert.equal((await put('nested', 'outer', indexOf(INDEX, inner), INDEX)).status, 404);
  assert.equal((await put('nested', id(inner), inner, INDEX)).status, 201);
  assert.equal((await put('nested', 'outer', indexOf(INDEX, inner), INDEX)).status, 201);
  const rows = await t.context.db
    .selectFrom('package_versions')
    .selectAll()
    .where('version', 'in', [byName, id(inner), 'outer'])
    .execute();
  const isExempt = await exemptManifests(rows, t.context);
  const exempt = (...gone: string[]) => {
    const ids = new Set(rows.filter(({ version }) => gone.includes(version)).map((row) => row.id));
    return rows.filter((row) => isExempt(row, ids)).map(({ version }) => version);
  };
  assert.deepEqual(exempt().sort(), [byName, id(inner)].sort());
  assert.deepEqual(exempt('outer'), [byName], 'what an index names goes with it');
  assert.deepEqual(exempt('outer', id(inner)), []);
  const rule = await alice.must('POST', '/packages/alice/cleanup-rules', { type: 'container', remove_pattern: '.*' });
  const { json } = await alice.get(`/packages/alice/cleanup-rules/${rule.id}/preview`);
  const going = json.filter(({ name }: { name: string }) => name === 'nested').map(({ version }: { version: string }) => version);
  assert.deepEqual(going.sort(), ['outer', byName, id(inner)].sort());
});

it('an upload without bytes says that it has none', async () => {
  const { headers } = await alice.send('POST', '//v2/alice/app/blobs/uploads/');
  const { status, headers: found } = await alice.get(`/${headers.get('location')}`);
  assert.deepEqual([status, found.get('range')], [204, '0-0']);
});
