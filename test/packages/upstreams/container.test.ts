// On SQLite alone: the test of npm covers both databases
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testServer } from '../../support/server.ts';
import { digestsOf } from '../support/registry.ts';
import { addUpstream, type Respond, stubUpstream } from '../support/upstream.ts';

const stub = await stubUpstream();
const t = await testServer({ packages: { upstreams: 'owners' }, outgoing: { allowedHosts: ['localhost'] } });
const alice = await t.user('alice');
const { id } = await addUpstream(alice, 'alice', {
  type: 'container',
  url: stub.url,
  username: 'ann',
  password: 'secret',
  metadata_seconds: 0,
});
const MANIFEST = 'application/vnd.oci.image.manifest.v1+json';
const digest = (content: string | Buffer) => `sha256:${digestsOf(content).sha256}`;
const layer = Buffer.alloc(200_000, 'layer');
const descriptor = (content: string | Buffer, mediaType: string) => ({ mediaType, digest: digest(content), size: content.length });
const manifest = JSON.stringify({
  schemaVersion: 2,
  mediaType: MANIFEST,
  config: descriptor('{}', 'application/vnd.oci.image.config.v1+json'),
  layers: [descriptor(layer, 'application/vnd.oci.image.layer.v1.tar')],
});
const get = async (path: string) => await alice.get(`//v2/alice/${path}`);

/** Responds to those with a token for the image; others are told where they get one. */
const guarded =
  (content: string | Buffer, headers: Record<string, string> = {}): Respond =>
  ({ headers: { authorization } }, response) => {
    if (authorization === 'Bearer token-of-nginx') response.writeHead(200, headers).end(content);
    else response.writeHead(401).end();
  };
stub.has('/v2/', (_, response) =>
  response.writeHead(401, { 'www-authenticate': `Bearer realm="${stub.url}/token?a=b",service="stub"` }).end(),
);
let signIn: string | undefined;
stub.has('/token?a=b&scope=repository%3Alibrary%2Fnginx%3Apull&service=stub', ({ headers }, response) => {
  signIn = headers.authorization;
  response.end('{"token":"token-of-nginx","expires_in":300}');
});
stub.has('/v2/library/nginx/manifests/1.0', guarded(manifest, { 'content-type': MANIFEST }));
stub.has(`/v2/library/nginx/manifests/${digest(manifest)}`, guarded(manifest, { 'content-type': MANIFEST }));
stub.has(`/v2/library/nginx/manifests/${digest('other')}`, guarded(manifest, { 'content-type': MANIFEST }));
stub.has('/v2/library/nginx/manifests/page', guarded('<html>', { 'content-type': 'text/html' }));
stub.has(`/v2/library/nginx/blobs/${digest(layer)}`, guarded(layer));
stub.has(`/v2/library/nginx/blobs/${digest('lie')}`, guarded('truth'));
stub.has('/v2/library/nginx/tags/list?n=2', guarded('{"name":"x","tags":["1.0","2.0"]}', { link: '</v2/x>; rel="next"' }));

describe('an image of an upstream', () => {
  it('is pulled by tag and digest, with a token of the upstream', async () => {
    const tagged = await get('library/nginx/manifests/1.0');
    assert.deepEqual([tagged.status, tagged.text, tagged.headers.get('content-type')], [200, manifest, MANIFEST]);
    assert.equal(tagged.headers.get('docker-content-digest'), digest(manifest));
    assert.equal(signIn, `Basic ${Buffer.from('ann:secret').toString('base64')}`);
    const head = await alice.send('HEAD', `//v2/alice/library/nginx/manifests/${digest(manifest)}`);
    assert.deepEqual([head.status, head.headers.get('content-length')], [200, String(manifest.length)]);
    const blob = await get(`library/nginx/blobs/${digest(layer)}`);
    assert.ok(blob.bytes.equals(layer));
    assert.equal(blob.headers.get('docker-content-digest'), digest(layer));
    assert.equal(stub.requests.filter((path) => path.startsWith('/token')).length, 1);
    stub.requests.length = 0;
    for (const path of [`manifests/${digest(manifest)}`, `blobs/${digest(layer)}`]) await get(`library/nginx/${path}`);
    assert.deepEqual(stub.requests, []);
  });

  it('lists its tags in parts', async () => {
    const { json, headers } = await get('library/nginx/tags/list?n=2');
    assert.deepEqual(json, { name: 'alice/library/nginx', tags: ['1.0', '2.0'] });
    assert.equal(headers.get('link'), '</v2/alice/library/nginx/tags/list?n=2&last=2.0>; rel="next"');
  });

  it('is what its digest says, or nothing', async () => {
    assert.equal((await get(`library/nginx/manifests/${digest('other')}`)).status, 502);
    assert.equal((await get('library/nginx/manifests/page')).status, 502);
    assert.equal((await get(`library/nginx/blobs/${digest('lie')}`)).status, 502);
    const missing = await get('library/nginx/manifests/none');
    assert.deepEqual([missing.status, missing.json.errors[0].code], [404, 'MANIFEST_UNKNOWN']);
    assert.equal((await get(`library/nginx/blobs/${digest('none')}`)).json.errors[0].code, 'BLOB_UNKNOWN');
  });

  it('is fetched for nobody without an account, who is told where to get a token', async () => {
    const { token } = (await t.anonymous.get('//v2/token')).json;
    const read = (path: string) => t.anonymous.get(`//v2/alice/${path}`, { headers: { authorization: `Bearer ${token}` } });
    const refused = await read('library/other/manifests/1.0');
    assert.equal(refused.status, 401);
    assert.match(refused.headers.get('www-authenticate') ?? '', /^Bearer realm=/);
    assert.equal((await read(`library/nginx/blobs/${digest(layer)}`)).status, 200);
  });

  it('is none of a name, or below one, that the owner pushes to', async () => {
    const upload = await alice.send('POST', `//v2/alice/team/app/blobs/uploads/?digest=${digest('own')}`, { raw: 'own', type: 'a/b' });
    assert.equal(upload.status, 201);
    stub.requests.length = 0;
    assert.equal((await get('team/other/manifests/1.0')).status, 404);
    assert.deepEqual(stub.requests, []);
    const push = await alice.send('POST', `//v2/alice/library/nginx/blobs/uploads/?digest=${digest('own')}`, { raw: 'own', type: 'a/b' });
    assert.equal(push.status, 409);
    const { json } = await alice.get(`/packages/alice/upstreams/${id}/packages`);
    assert.deepEqual(
      json.map(({ name }: { name: string }) => name),
      ['library/nginx'],
    );
  });
});
