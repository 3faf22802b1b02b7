import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { collectPackages } from '../../src/packages/blobs/collect.ts';
import { blobKey } from '../../src/packages/blobs/content.ts';
import { forgetUploads } from '../../src/packages/container/cleanup.ts';
import { Client, type TestResponse } from '../support/client.ts';
import { testServer } from '../support/server.ts';
import { digestsOf, inShort, storedKeys } from './support/registry.ts';

const t = await testServer({ packages: { limitSizeContainer: 5000, unlinkedExpiry: 0 } });
const as = (authorization: string) => new Client(() => t.url, { authorization });
const bearer = async (caller: Client) => {
  const { token } = (await caller.get('//v2/token')).json;
  return as(`Bearer ${token}`);
};
const alice = await t.user('alice');
const [owner, guest, other] = [await bearer(alice), await bearer(t.anonymous), await bearer(await t.user('bob'))];

const MANIFEST = 'application/vnd.oci.image.manifest.v1+json';
const INDEX = 'application/vnd.oci.image.index.v1+json';
const DOCKER = 'application/vnd.docker.distribution.manifest.v2+json';
const id = (bytes: string) => `sha256:${digestsOf(bytes).sha256}`;
const part = (mediaType: string, bytes: string, more = {}) => ({ mediaType, digest: id(bytes), size: Buffer.byteLength(bytes), ...more });
const CONFIG = JSON.stringify({
  os: 'linux',
  architecture: 'arm64',
  config: { Labels: { 'org.opencontainers.image.url': 'javascript:x' } },
});
const manifestOf = (layers: string[], more = {}) =>
  JSON.stringify({
    schemaVersion: 2,
    mediaType: MANIFEST,
    config: part('application/vnd.oci.image.config.v1+json', CONFIG),
    layers: layers.map((layer) => part('application/vnd.oci.image.layer.v1.tar', layer)),
    ...more,
  });

const push = (image: string, bytes: string, caller = owner) =>
  caller.send('POST', `//v2/${image}/blobs/uploads?digest=${id(bytes)}`, { raw: bytes, type: 'application/octet-stream' });
const put = (image: string, reference: string, raw: string, type = MANIFEST, caller = owner) =>
  caller.send('PUT', `//v2/${image}/manifests/${reference}`, { raw, type });
const codeOf = ({ status, json }: TestResponse) => [status, json?.errors?.[0]?.code, json?.errors?.[0]?.message];
/** An image with one layer, under a tag. */
async function pushImage(image: string, tag: string, layer: string, more = {}): Promise<string> {
  for (const bytes of [CONFIG, layer]) assert.equal((await push(image, bytes)).status, 201);
  const manifest = manifestOf([layer], more);
  assert.equal((await put(image, tag, manifest)).status, 201);
  return manifest;
}
const pageOf = async (path: string, caller = guest) => (await caller.get(`//v2/${path}`)).json;
const cleanUp = async () => {
  const { signal } = new AbortController();
  await forgetUploads(t.context, Number.MAX_SAFE_INTEGER, signal);
  await collectPackages(t.context, signal);
};

describe('signing in to the container registry', () => {
  it('is by a token for who has credentials, and for nobody', async () => {
    const refused = await t.anonymous.get('//v2/');
    assert.deepEqual(codeOf(refused), [401, 'UNAUTHORIZED', '']);
    assert.match(refused.headers.get('www-authenticate') ?? '', /^Bearer realm="http.*\/v2\/token",service="container_registry"/);
    for (const caller of [owner, guest, alice]) assert.deepEqual(inShort(await caller.get('//v2')), [200, '']);
    for (const token of ['wrong', 'v1.wrong', `v1.${'A'.repeat(80)}`]) assert.equal((await as(`Bearer ${token}`).get('//v2')).status, 401);
    assert.equal((await owner.get('//v2/token')).status, 401);
    assert.equal((await owner.send('POST', '//v2/token', { raw: 'grant_type=password', type: 'text/plain' })).status, 404);
    assert.equal((await as(`Basic ${btoa('alice:wrong')}`).get('//v2/token')).status, 401);
  });

  it('ends with the access token or the password', async () => {
    const leaver = await t.user('leaver');
    const { id: tokenId, sha1 } = await leaver.must('POST', '/users/leaver/tokens', { name: 'ci', scopes: ['read:package'] });
    const byToken = await bearer(as(`Basic ${btoa(`leaver:${sha1}`)}`));
    const byPassword = await bearer(leaver);
    assert.equal((await push('leaver/app', 'x', byToken)).status, 401);
    assert.equal((await push('leaver/app', 'x', byPassword)).status, 201);
    await leaver.must('DELETE', `/users/leaver/tokens/${tokenId}`);
    assert.equal((await byToken.get('//v2')).status, 401);
    await t.admin.must('PATCH', '/admin/users/leaver', { login_name: 'leaver', source_id: 0, password: 'Another-Passw0rd' });
    assert.equal((await byPassword.get('//v2')).status, 401);
  });

  it('needs the scope of packages, and hides private owners', async () => {
    const scoped = await alice.token(['read:user']);
    const basic = as(`Basic ${btoa(`alice:${scoped.password}`)}`);
    assert.equal((await basic.get('//v2/token')).status, 401);
    const hidden = await t.user('hidden', { visibility: 'private' });
    assert.equal((await push('hidden/app', 'x', await bearer(hidden))).status, 201);
    for (const caller of [guest, other]) assert.equal((await caller.get(`//v2/hidden/app/blobs/${id('x')}`)).status, 401);
    const mount = await other.send('POST', `//v2/bob/app/blobs/uploads?mount=${id('x')}&from=hidden/app`);
    assert.deepEqual([mount.status, mount.headers.has('docker-upload-uuid')], [202, true]);
    assert.match((await t.anonymous.get('//v2/hidden/app/tags/list')).headers.get('www-authenticate') ?? '', /Basic realm=/);
  });
});

describe('an image', () => {
  it('is pushed, pulled by tag and digest, listed, and deleted', async () => {
    const manifest = await pushImage('alice/team/app', 'V1', 'layer');
    for (const reference of ['v1', id(manifest)]) {
      const pulled = await guest.get(`//v2/alice/team/app/manifests/${reference}`);
      assert.deepEqual([pulled.text, pulled.headers.get('content-type')], [manifest, MANIFEST]);
      assert.deepEqual([pulled.headers.get('docker-content-digest'), pulled.headers.get('etag')], [id(manifest), `"${id(manifest)}"`]);
    }
    const ranged = await guest.get(`//v2/alice/team/app/blobs/${id('layer')}`, { headers: { range: 'bytes=1-2' } });
    assert.deepEqual([...inShort(ranged), ranged.headers.get('content-type')], [206, 'ay', 'application/octet-stream']);
    const row = await t.context.db.selectFrom('package_versions').selectAll().where('version', '=', 'v1').executeTakeFirstOrThrow();
    assert.deepEqual(JSON.parse(row.metadata), {
      type: 'oci',
      platform: 'linux/arm64',
      labels: { 'org.opencontainers.image.url': 'javascript:x' },
      is_tagged: true,
    });
    assert.deepEqual(await pageOf('alice/team/app/tags/list'), { name: 'alice/team/app', tags: ['v1'] });
    assert.ok((await pageOf('_catalog')).repositories.includes('alice/team/app'));
    assert.equal((await other.delete(`//v2/alice/team/app/manifests/v1`)).status, 401);
    assert.equal((await owner.delete(`//v2/alice/team/app/manifests/${id(manifest)}`)).status, 202);
    assert.deepEqual(await pageOf('alice/team/app/tags/list'), { name: 'alice/team/app', tags: [] });
    await cleanUp();
    assert.deepEqual(codeOf(await guest.get('//v2/alice/team/app/tags/list')), [404, 'NAME_UNKNOWN', '']);
  });

  it('keeps the count of downloads when a tag moves, and the contents of both', async () => {
    const first = await pushImage('alice/moving', 'latest', 'one');
    await t.context.db.updateTable('package_versions').set({ download_count: 7 }).where('version', '=', 'latest').execute();
    const second = await pushImage('alice/moving', 'latest', 'two');
    const moved = await t.context.db.selectFrom('package_versions').selectAll().where('version', '=', 'latest').executeTakeFirstOrThrow();
    assert.equal(moved.download_count, 7);
    assert.equal((await guest.get('//v2/alice/moving/manifests/latest')).text, second);
    assert.deepEqual(codeOf(await guest.get(`//v2/alice/moving/manifests/${id(first)}`)), [404, 'MANIFEST_UNKNOWN', '']);
    await cleanUp();
    assert.equal((await guest.get(`//v2/alice/moving/blobs/${id('two')}`)).text, 'two');
    assert.equal((await guest.get(`//v2/alice/moving/blobs/${id('one')}`)).status, 404);
  });

  it('has only what was sent to it, and is sent again where bytes were lost', async () => {
    await pushImage('alice/source', '1', 'secret layer');
    assert.deepEqual(codeOf(await put('alice/thief', '1', manifestOf(['secret layer']))), [404, 'BLOB_UNKNOWN', '']);
    assert.equal((await guest.get(`//v2/alice/thief/blobs/${id('secret layer')}`)).status, 404);
    const { sha256 } = digestsOf('secret layer');
    const blob = await t.context.db.selectFrom('package_blobs').selectAll().where('sha256', '=', sha256).executeTakeFirstOrThrow();
    await t.context.storage.delete(blobKey(blob));
    assert.equal((await guest.send('HEAD', `//v2/alice/source/blobs/${id('secret layer')}`)).status, 404);
    await push('alice/source', 'secret layer');
    assert.equal((await guest.get(`//v2/alice/source/blobs/${id('secret layer')}`)).text, 'secret layer');
  });

  it('has one manifest for each platform', async () => {
    const one = await pushImage('alice/multi', 'arm', 'arm layer', { mediaType: DOCKER });
    const index = (type: string, digest: string) =>
      JSON.stringify({
        schemaVersion: 2,
        mediaType: INDEX,
        manifests: [{ ...part(type, one), digest, platform: { os: 'linux', architecture: 'arm' } }],
      });
    assert.equal((await put('alice/multi', 'all', index(MANIFEST, id(one)), INDEX)).status, 201);
    assert.deepEqual(codeOf(await put('alice/multi', 'all', index('text/plain', id(one)), INDEX)), [400, 'MANIFEST_INVALID', '']);
    assert.deepEqual(codeOf(await put('alice/multi', 'all', index(MANIFEST, id('no')), INDEX)), [404, 'MANIFEST_BLOB_UNKNOWN', '']);
    const row = await t.context.db.selectFrom('package_versions').selectAll().where('version', '=', 'all').executeTakeFirstOrThrow();
    const size = one.length + CONFIG.length + 'arm layer'.length;
    assert.deepEqual(JSON.parse(row.metadata).manifests, [{ platform: 'linux/arm', digest: id(one), size }]);
  });

  it('is found by what refers to it', async () => {
    const subject = await pushImage('alice/signed', '1', 'layer');
    const about = (artifactType: string) => manifestOf([], { artifactType, subject: part(MANIFEST, subject), annotations: { by: 'ann' } });
    const stored = await put('alice/signed', id(about('a/signature')), about('a/signature'));
    assert.equal(stored.headers.get('oci-subject'), id(subject));
    await put('alice/signed', 'sig', about('a/signature'));
    await put('alice/signed', id(about('a/list')), about('a/list'));
    const listed = async (query: string) => {
      const { headers, json } = await guest.get(`//v2/alice/signed/referrers/${id(subject)}${query}`);
      return [headers.get('oci-filters-applied'), json.manifests.map((one: { artifactType: string }) => one.artifactType).sort()];
    };
    assert.deepEqual(await listed(''), [null, ['a/list', 'a/signature']]);
    assert.deepEqual(await listed('?artifactType=a/list'), ['artifactType', ['a/list']]);
    assert.deepEqual((await pageOf(`alice/none/referrers/${id('x')}`)).manifests, []);
    assert.deepEqual(codeOf(await guest.get('//v2/alice/signed/referrers/sha256:1')), [400, 'DIGEST_INVALID', '']);
  });

  it('is refused with the code that says why', async () => {
    await pushImage('alice/bad', 'good', 'layer');
    const refusal = async (manifest: string, reference = 'x', type = MANIFEST) =>
      codeOf(await put('alice/bad', reference, manifest, type)).slice(0, 2);
    const foreign = manifestOf(['layer'], { layers: [part('application/vnd.oci.image.layer.nondistributable.v1.tar', 'elsewhere')] });
    assert.deepEqual(await refusal(foreign, 'foreign'), [201, undefined]);
    assert.deepEqual(await refusal('{'), [400, 'MANIFEST_INVALID']);
    assert.deepEqual(await refusal('[]'), [400, 'MANIFEST_INVALID']);
    assert.deepEqual(await refusal('{"schemaVersion":1}'), [501, 'UNSUPPORTED']);
    assert.deepEqual(await refusal('{"schemaVersion":2,"config":7}'), [404, 'BLOB_UNKNOWN']);
    assert.deepEqual(await refusal('{"schemaVersion":2,"layers":7,"config":{}}'), [400, 'MANIFEST_INVALID']);
    assert.deepEqual(await refusal(manifestOf(['layer'], { manifests: [] })), [400, 'MANIFEST_INVALID']);
    assert.deepEqual(await refusal(manifestOf(['layer'], { mediaType: INDEX })), [400, 'MANIFEST_INVALID']);
    assert.deepEqual(await refusal(manifestOf(['layer']).replace(/"size":5/, '"size":6')), [400, 'SIZE_INVALID']);
    assert.deepEqual(await refusal(manifestOf(Array(1001).fill('layer'))), [400, 'MANIFEST_INVALID']);
    assert.deepEqual(await refusal(manifestOf(['layer'], { subject: {} })), [400, 'MANIFEST_INVALID']);
    assert.deepEqual(await refusal(manifestOf(['layer']), id('something else')), [400, 'DIGEST_INVALID']);
    for (const tag of ['.dot', '_upload', 'a'.repeat(129), 'sha256:12'])
      assert.deepEqual(await refusal(manifestOf([]), tag), [400, 'MANIFEST_INVALID']);
    assert.deepEqual(await refusal(' '.repeat(4 * 1024 * 1024 + 1)), [413, 'MANIFEST_INVALID']);
    for (const name of ['Upper', 'a//b/-c', 'a_-b', 'a'.repeat(256)])
      assert.equal((await push(`alice/${name}`, 'x')).json?.errors[0].code, 'NAME_INVALID');
    assert.deepEqual(codeOf(await push('alice/bad', 'x'.repeat(5001))).slice(0, 2), [403, 'DENIED']);
    assert.equal((await push('nobody/app', 'x')).status, 404);
    assert.deepEqual((await pageOf('alice/bad/tags/list')).tags, ['foreign', 'good']);
  });
});

describe('an upload', () => {
  const start = async (image = 'alice/parts') => (await owner.send('POST', `//v2/${image}/blobs/uploads/`)).headers.get('location') ?? '';
  const patch = (upload: string, raw: string, range?: string, caller = owner) =>
    caller.send('PATCH', `/${upload}`, { raw, type: 'application/octet-stream', headers: range ? { 'content-range': range } : {} });
  const end = (upload: string, bytes: string, raw?: string) =>
    owner.send('PUT', `/${upload}?digest=${id(bytes)}`, raw === undefined ? {} : { raw, type: 'application/octet-stream' });

  it('arrives in parts, each of which begins where the last one ended', async () => {
    const upload = await start();
    assert.equal((await patch(upload, 'one ', '0-3')).headers.get('range'), '0-3');
    const early = await patch(upload, 'two', '2-4');
    assert.deepEqual([...codeOf(early), early.headers.get('range')], [416, 'BLOB_UPLOAD_INVALID', '', '0-3']);
    assert.equal((await patch(upload, 'two ')).status, 400);
    const [first, second] = await Promise.all([patch(upload, 'two ', '4-7'), patch(upload, 'two ', '4-7')]);
    assert.deepEqual([first.status, second.status].sort(), [202, 416]);
    assert.equal((await owner.get(`/${upload}`)).headers.get('range'), '0-7');
    assert.equal((await patch(upload, 'x', '8-8', other)).status, 401);
    assert.deepEqual(codeOf(await end(upload, 'something else')), [400, 'DIGEST_INVALID', '']);
    assert.equal((await end(upload, 'one two three', 'three')).status, 201);
    assert.equal((await end(upload, 'one two three')).status, 404);
    assert.equal((await guest.get(`//v2/alice/parts/blobs/${id('one two three')}`)).text, 'one two three');
  });

  it('is of its own image alone, and within the limit in all', async () => {
    const upload = await start();
    assert.equal((await patch(upload.replace('parts', 'others'), 'x')).status, 404);
    await patch(upload, 'x'.repeat(4000), '0-3999');
    assert.equal((await patch(upload, 'x'.repeat(1001), '4000-5000')).status, 403);
    assert.equal((await end(upload, 'x'.repeat(4000))).status, 201);
  });

  it('is removed when it is given up, or nobody goes on with it', async () => {
    await cleanUp();
    const before = await storedKeys(t);
    const [given, left] = [await start(), await start()];
    for (const upload of [given, left]) assert.equal((await patch(upload, 'part')).status, 202);
    await push('alice/parts', 'in no manifest');
    assert.equal((await owner.delete(`/${given}`)).status, 204);
    await cleanUp();
    assert.equal((await owner.get(`/${left}`)).status, 404);
    assert.equal((await guest.get(`//v2/alice/parts/blobs/${id('in no manifest')}`)).status, 404);
    assert.deepEqual(await storedKeys(t), before);
  });
});
