// On SQLite alone: the upstream's faults are the same for both databases
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { collectPackages } from '../../../src/packages/blobs/collect.ts';
import { evictUnused } from '../../../src/packages/upstreams/evict.ts';
import type { Client } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { testServer } from '../../support/server.ts';
import { registry, storedKeys } from '../support/registry.ts';
import { addUpstream, hasPackage, packument, type Respond, stubUpstream } from '../support/upstream.ts';

const stub = await stubUpstream();
const other = await stubUpstream();
const t = await testServer({
  packages: { upstreams: 'owners', upstreamCacheSize: 2_000_000, unlinkedExpiry: 0 },
  outgoing: { allowedHosts: ['localhost'] },
});
const alice = await t.user('alice');
/** It waits for no upstream. */
const hasty = await testServer({ packages: { upstreams: 'owners', upstreamTimeout: 300 }, outgoing: { allowedHosts: ['localhost'] } });
const bob = await hasty.user('bob');
const npm = registry('alice');
const terms = { type: 'npm', url: stub.url, max_file_size: 1_000_000, metadata_seconds: 0, username: 'ann', password: 'secret' };
const { id } = await addUpstream(alice, 'alice', terms);
const UPSTREAM = `/packages/alice/upstreams/${id}`;

const document = async (name: string, caller: Client = alice) => await npm.get(caller, `npm/${name}`);
const tarball = async (name: string) => await npm.get(alice, `npm/${name}/-/1.0.0/${name}-1.0.0.tgz`);
/** What a client gets: the status, or that the response broke off. */
const outcome = async (name: string) => (await tarball(name).catch(() => ({ status: 'broken' }))).status;
const hasFile = (name: string, data: Buffer, respond?: Respond) => {
  hasPackage(stub, name, { '1.0.0': { data } });
  if (respond) stub.has(`/${name}/-/${name}-1.0.0.tgz`, respond);
};

describe('an upstream that', () => {
  it('lies about a digest is not believed, and what it sent is not kept', async () => {
    const before = await storedKeys(t);
    const data = randomBytes(500_000);
    hasFile('lies', randomBytes(500_000), (_, response) => response.end(data));
    hasFile('lies-briefly', Buffer.from('a'), (_, response) => response.end('b'));
    assert.equal(await outcome('lies'), 'broken');
    assert.equal(await outcome('lies-briefly'), 502);
    const { total } = await t.context.db
      .selectFrom('package_upstream_files')
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .where('sha256', '!=', '')
      .executeTakeFirstOrThrow();
    assert.equal(total, 0);
    // Two packuments with their links.
    assert.equal((await storedKeys(t)).length, before.length + 4);
  });

  it('breaks off or fails is asked again later', async () => {
    const data = randomBytes(200_000);
    hasFile('cut', data, (_, response) => {
      response.writeHead(200, { 'content-length': data.length }).write(data.subarray(0, 100_000), () => response.destroy());
    });
    hasFile('fails', data, (_, response) => response.writeHead(500).end());
    assert.deepEqual([await outcome('cut'), await outcome('fails')], ['broken', 502]);
    for (const name of ['cut', 'fails']) {
      hasFile(name, data);
      assert.ok((await tarball(name)).bytes.equals(data), name);
    }
  });

  it('is slow is not waited for', async () => {
    await addUpstream(bob, 'bob', { type: 'go', url: stub.url });
    stub.has('/slow/@v/v1.0.0.zip', (_, response) => void response.writeHead(200).write('beginning'));
    stub.has('/slow/@v/list', () => {});
    const get = async (path: string) => (await registry('bob').get(bob, path)).status;
    assert.deepEqual([await get('go/slow/@v/v1.0.0.zip'), await get('go/slow/@v/list')], [502, 502]);
  });

  it('sends without end, or packed, or leads elsewhere gets nothing done', async () => {
    const data = Buffer.from('small');
    const endless: Respond = (_, response) => {
      const write = () => {
        while (!response.destroyed && response.write(Buffer.alloc(60_000)));
      };
      response.on('drain', write);
      write();
    };
    hasFile('endless', data, endless);
    hasFile('huge', data, (_, response) => response.writeHead(200, { 'content-length': 2 ** 40 }).end());
    const bomb = gzipSync(Buffer.alloc(100_000));
    hasFile('bomb', data, (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb));
    hasFile('inside', data, (_, response) => response.writeHead(302, { location: `http://127.0.0.1:${stub.port}/inside/-/secret` }).end());
    stub.has('/inside/-/secret', data);
    assert.deepEqual([await outcome('endless'), await outcome('huge')], ['broken', 502]);
    assert.deepEqual([await outcome('bomb'), await outcome('inside')], [502, 502]);
    assert.ok(!stub.requests.includes('/inside/-/secret'));
    await addUpstream(alice, 'alice', { type: 'cargo', url: stub.url });
    stub.has('/config.json', endless);
    assert.equal((await npm.get(alice, 'cargo/en/dl/endless')).status, 502);
  });

  it('has documents of other packages, or none, is not believed', async () => {
    stub.has('/wrong', packument(stub.url, 'other', {}));
    stub.has('/page', '<!DOCTYPE html>', { 'content-type': 'text/html' });
    stub.has('/deep', '['.repeat(1_000_000));
    for (const name of ['wrong', 'page', 'deep']) assert.equal((await document(name)).status, 502, name);
    const data = Buffer.from('x');
    const versions = { '1.0.0': { data, tarball: 'file:///etc/passwd' }, '2.0.0': { data, integrity: 'md5-x' }, '3.0.0': { data } };
    stub.has('/odd', packument(stub.url, 'odd', versions));
    assert.deepEqual(Object.keys((await document('odd')).json.versions), ['3.0.0']);
  });

  it('is replaced while it responds is not believed', async () => {
    const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    stub.has('/moves', (_, response) => {
      asked.resolve();
      released.promise.then(() => response.writeHead(200, { etag: '"same"' }).end(packument(stub.url, 'moves', {})));
    });
    other.has('/moves', packument(other.url, 'moves', { '1.0.0': { data: Buffer.from('x') } }), { etag: '"same"' });
    const first = document('moves');
    await asked.promise;
    await alice.must('PATCH', UPSTREAM, { url: other.url });
    released.resolve();
    assert.equal((await first).status, 502);
    assert.deepEqual(Object.keys((await document('moves')).json.versions), ['1.0.0']);
    await alice.must('PATCH', UPSTREAM, { url: stub.url, username: 'ann', password: 'secret' });
  });

  it('gets its credentials alone', async () => {
    const data = Buffer.from('elsewhere');
    stub.has('/far', packument(stub.url, 'far', { '1.0.0': { data, tarball: `${other.url}/far-1.0.0.tgz` } }));
    other.has('/far-1.0.0.tgz', data);
    assert.equal((await tarball('far')).text, 'elsewhere');
    assert.equal(stub.authorization, `Basic ${Buffer.from('ann:secret').toString('base64')}`);
    assert.equal(other.authorization, undefined);
    const shown = await alice.get(UPSTREAM);
    assert.deepEqual([shown.json.has_password, shown.text.includes('secret')], [true, false]);
    assert.equal((await alice.patch(UPSTREAM, { url: other.url })).json.has_password, false);
    const { db } = t.context;
    assert.deepEqual(await db.selectFrom('package_upstream_files').select('path').where('sha256', '=', '').execute(), []);
    await alice.must('PATCH', UPSTREAM, { url: stub.url, password: 'token', username: '' });
    await document('far');
    assert.equal(stub.authorization, 'Bearer token');
  });
});

describe('the cache', () => {
  it('goes on when the client has left', async () => {
    const data = randomBytes(300_000);
    const { promise, resolve } = Promise.withResolvers<void>();
    hasFile('left', data, (_, response) => {
      response.write(data.subarray(0, 150_000));
      promise.then(() => response.end(data.subarray(150_000)));
    });
    const controller = new AbortController();
    const authorization = `Basic ${Buffer.from(`${alice.name}:${alice.password}`).toString('base64')}`;
    const url = `${t.url}api/packages/alice/npm/left/-/1.0.0/left-1.0.0.tgz`;
    const response = await fetch(url, { signal: controller.signal, headers: { authorization } });
    assert.equal(response.status, 200);
    controller.abort();
    resolve();
    assert.ok((await tarball('left')).bytes.equals(data));
    assert.equal(stub.requests.filter((path) => path === '/left/-/left-1.0.0.tgz').length, 1);
  });

  it('stays within its size, and takes no other content for one that it had', async () => {
    const data = randomBytes(900_000);
    for (const name of ['a', 'b', 'c']) hasFile(name, data.subarray(0, 900_000 - name.charCodeAt(0)));
    await tarball('a');
    await t.context.db.updateTable('package_upstream_files').set({ used_at: 0 }).where('path', 'like', 'a/%').execute();
    await tarball('b');
    await tarball('c');
    const whole = await t.context.db.selectFrom('package_upstream_files').select('path').where('blob_id', 'is not', null).execute();
    const paths = whole.map(({ path }) => path);
    assert.deepEqual([paths.includes('a/-/a-1.0.0.tgz'), paths.includes('c/-/c-1.0.0.tgz')], [false, true]);
    await collectPackages(t.context, new AbortController().signal);
    assert.ok((await tarball('c')).bytes.length > 0);
    hasFile('a', randomBytes(10));
    await eventually(async () => (await document('a')).status === 200, 'the new document');
    assert.equal(await outcome('a'), 502);
    await t.context.db.updateTable('package_upstream_files').set({ used_at: 0 }).execute();
    await evictUnused(t.context, new AbortController().signal);
    await collectPackages(t.context, new AbortController().signal);
    assert.deepEqual(await storedKeys(t), []);
  });
});

describe('an upstream', () => {
  it('is refused if it cannot be', async () => {
    const bodies = [
      { type: 'generic', url: stub.url },
      { type: 'npm' },
      { type: 'npm', url: 'ftp://localhost' },
      { type: 'npm', url: 'http://ann:secret@localhost' },
      { type: 'npm', url: 'http://127.0.0.1' },
      { type: 'npm', url: stub.url, allow: ['['] },
      { type: 'npm', url: stub.url, deny: [' '] },
      { type: 'npm', url: stub.url, deny: new Array(201).fill('a') },
      { type: 'npm', url: stub.url, max_file_size: 0 },
    ];
    for (const body of bodies) assert.equal((await alice.post('/packages/alice/upstreams', body)).status, 422, JSON.stringify(body));
    assert.equal((await alice.get('/packages/alice/upstreams')).json.length, 2);
    const other = await t.user('other');
    assert.equal((await other.post('/packages/alice/upstreams', { type: 'npm', url: stub.url })).status, 403);
    assert.equal((await other.get(`/packages/other/upstreams/${id}`)).status, 404);
    assert.equal((await alice.delete(UPSTREAM)).status, 204);
    assert.equal((await document('far')).status, 404);
  });
});
