import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { collectPackages } from '../../../src/packages/blobs/collect.ts';
import { evictUnused } from '../../../src/packages/upstreams/evict.ts';
import { testServer } from '../../support/server.ts';
import { readSent } from '../support/sent.ts';
import { addUpstream, hasPackage, stubUpstream } from '../support/upstream.ts';

const stub = await stubUpstream();
const t = await testServer({
  packages: { upstreams: 'owners', unlinkedExpiry: 0, upstreamMaxAge: 0 },
  outgoing: { allowedHosts: ['localhost'] },
});
const { db } = t.context;
const alice = await t.user('alice');
await addUpstream(alice, 'alice', { type: 'npm', url: stub.url, anonymous_fetches: true });
const read = (path: string, headers: Record<string, string> = {}) => readSent(`${t.url}/api/packages/alice/npm/${path}`, headers);
const GZIP = { 'accept-encoding': 'gzip, deflate' };

describe('a long document of an upstream', () => {
  it('is compressed for clients that accept it', async () => {
    const versions = Array.from({ length: 100 }, (_, number) => [`1.0.${number}`, { data: Buffer.from(`${number}`) }] as const);
    hasPackage(stub, 'big', Object.fromEntries(versions));
    const plain = await read('big');
    assert.deepEqual([plain.status, plain.headers['content-encoding'], plain.headers.vary], [200, undefined, 'Accept, Accept-Encoding']);
    const gzip = await read('big', GZIP);
    assert.deepEqual([gzip.headers['content-encoding'], gzip.headers.vary], ['gzip', 'Accept, Accept-Encoding']);
    assert.equal(Number(gzip.headers['content-length']), gzip.bytes.length);
    assert.ok(gzip.bytes.length < plain.bytes.length / 2);
    assert.ok(gunzipSync(gzip.bytes).equals(plain.bytes));
    assert.notEqual(gzip.headers.etag, plain.headers.etag);
    assert.equal((await read('big', { ...GZIP, 'if-none-match': gzip.headers.etag ?? '' })).status, 304);
    const part = await read('big', { ...GZIP, range: 'bytes=5-9' });
    assert.deepEqual([part.status, part.headers['content-encoding']], [206, undefined]);
    assert.equal(stub.requests.filter((path) => path === '/big').length, 1);
  });

  it('keeps its compressed form as long as itself', async () => {
    const count = async () => (await db.selectFrom('package_compressed_blobs').select('blob_id').execute()).length;
    await collectPackages(t.context, new AbortController().signal);
    assert.deepEqual([(await read('big', GZIP)).headers['content-encoding'], await count()], ['gzip', 1]);
    await db.updateTable('package_upstream_files').set({ used_at: 0 }).execute();
    await evictUnused(t.context, new AbortController().signal);
    for (let times = 0; times < 2; times++) {
      await db.updateTable('package_blobs').set({ touched_at: 0 }).execute();
      await collectPackages(t.context, new AbortController().signal);
    }
    assert.equal(await count(), 0);
    assert.deepEqual(await db.selectFrom('package_blobs').select('id').execute(), []);
  });
});

it('a short document of an upstream is not compressed', async () => {
  hasPackage(stub, 'small', { '1.0.0': { data: Buffer.from('small') } });
  const { headers } = await read('small', GZIP);
  assert.deepEqual([headers['content-encoding'], headers.vary], [undefined, 'Accept']);
});
