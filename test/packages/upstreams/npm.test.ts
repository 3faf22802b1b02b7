import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { now } from '../../../src/clock.ts';
import { createLogger } from '../../../src/log.ts';
import { startServer } from '../../../src/server.ts';
import { Client } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { testServer } from '../../support/server.ts';
import { registry } from '../support/registry.ts';
import { addUpstream, hasPackage, packument, stubUpstream } from '../support/upstream.ts';

const stub = await stubUpstream();
const t = await testServer({
  packages: { upstreams: 'administrators', upstreamDeny: ['@instance/**'] },
  outgoing: { allowedHosts: ['localhost'] },
  instance: { metricsEnabled: true },
});
const alice = await t.user('alice');
const npm = registry('alice');
const { id } = await addUpstream(t.admin, 'alice', { type: 'npm', url: stub.url, deny: ['internal*', '@secret/**'] });

const publish = (name: string, version = '1.0.0') => {
  const data = Buffer.from(`${name} ${version} of alice`);
  const integrity = `sha512-${createHash('sha512').update(data).digest('base64')}`;
  const document = {
    name,
    'dist-tags': { latest: version },
    versions: { [version]: { name, version, dist: { integrity } } },
    _attachments: { [`${name}-${version}.tgz`]: { data: data.toString('base64') } },
  };
  return npm.put(alice, `npm/${encodeURIComponent(name)}`, JSON.stringify(document), { 'content-type': 'application/json' });
};
const document = async (name: string, caller: Client = alice) => await npm.get(caller, `npm/${encodeURIComponent(name)}`);
const asked = (path: string) => stub.requests.filter((request) => request === path).length;
const tarball = async (name: string, version = '1.0.0', caller: Client = alice) =>
  await npm.get(caller, `npm/${name}/-/${version}/${name.slice(name.indexOf('/') + 1)}-${version}.tgz`);
/** The cache takes all documents for older than they may be. */
const age = async (seconds: number) => {
  const { db } = t.context;
  await db
    .updateTable('package_upstream_files')
    .set({ checked_at: now() - seconds, retry_at: 0 })
    .execute();
};

describe('a package of npm that is not published here', () => {
  it('comes from the upstream, with links to this registry, and is fetched once', async () => {
    const data = randomBytes(300_000);
    hasPackage(stub, '@types/left', { '1.0.0': { data: Buffer.from('1') }, '2.0.0': { data } });
    const { json, headers } = await document('@types/left');
    assert.deepEqual([json['dist-tags'], Object.keys(json.versions)], [{ latest: '2.0.0' }, ['1.0.0', '2.0.0']]);
    assert.match(headers.get('content-type') ?? '', /^application\/json/);
    const link: string = json.versions['2.0.0'].dist.tarball;
    assert.equal(link, `${t.context.settings.server.rootUrl}api/packages/alice/npm/%40types%2Fleft/-/2.0.0/left-2.0.0.tgz`);
    const all = await Promise.all([1, 2, 3, 4, 5].map(() => npm.get(alice, `npm/${link.split('/npm/')[1]}`)));
    for (const { status, bytes } of all) assert.ok(status === 200 && bytes.equals(data));
    assert.ok((await npm.get(alice, 'npm/@types/left/-/left-2.0.0.tgz')).bytes.equals(data));
    assert.equal(asked('/@types/left/-/left-2.0.0.tgz'), 1);
    const part = await npm.get(alice, `npm/${link.split('/npm/')[1]}`, { range: 'bytes=0-9' });
    assert.deepEqual([part.status, part.bytes.length], [206, 10]);
    assert.equal((await npm.get(alice, 'npm/@types/left/-/9.0.0/left-9.0.0.tgz')).status, 404);
    assert.match((await t.anonymous.get('//metrics')).text, /copse_package_upstream_requests_total\{.*type="npm",outcome="hit"\} \d/);
  });

  it('is requested again when its time is over, and served when the upstream is away, for a limited time', async () => {
    hasPackage(stub, 'aging', { '1.0.0': { data: Buffer.from('a') } }, { etag: '"v1"' });
    for (let i = 0; i < 3; i++) assert.equal((await document('aging')).status, 200);
    assert.equal(asked('/aging'), 1);
    await age(400);
    assert.equal((await document('aging')).status, 200);
    assert.equal((await document('aging')).status, 200);
    assert.equal(asked('/aging'), 2);
    stub.has('/aging', (_, response) => response.writeHead(500).end());
    await age(400);
    for (let i = 0; i < 3; i++) assert.deepEqual((await document('aging')).json['dist-tags'], { latest: '1.0.0' });
    assert.equal(asked('/aging'), 3);
    await age(8 * 24 * 60 * 60);
    assert.equal((await document('aging')).status, 502);
    stub.hasNot('/aging');
    assert.equal((await document('aging')).status, 404);
    const before = asked('/aging');
    assert.equal((await document('aging')).status, 404);
    assert.equal(asked('/aging'), before);
  });

  it('waits for another process that fetches it, until that is done or dead', async () => {
    hasPackage(stub, 'shared', { '1.0.0': { data: Buffer.from('s') } });
    const { db } = t.context;
    const alive = { role: 'command', host: 'other', pid: 1, version: '1', started_at: now(), heartbeat_at: Date.now() } as const;
    const { id: process_id } = await db.insertInto('processes').values(alive).returning('id').executeTakeFirstOrThrow();
    await db.insertInto('package_upstream_fetches').values({ upstream_id: id, path: 'shared full', process_id }).execute();
    const waiting = document('shared');
    await eventually(async () => t.context.semaphores.upstreams.taken > 0, 'the request');
    assert.equal(asked('/shared'), 0);
    await db.deleteFrom('processes').where('id', '=', process_id).execute();
    assert.equal((await waiting).status, 200);
    assert.deepEqual(await db.selectFrom('package_upstream_fetches').selectAll().execute(), []);
  });
});

const isPostgres = t.context.database.dialect === 'postgres';
it('two processes fetch a file once', { skip: !isPostgres && 'SQLite is for one process' }, async () => {
  const { settings } = t.context;
  const second = await startServer({ ...settings, server: { ...settings.server, port: 0 } }, createLogger(settings.log));
  try {
    const data = randomBytes(200_000);
    hasPackage(stub, 'twice', { '1.0.0': { data } });
    const { promise, resolve } = Promise.withResolvers<void>();
    stub.has('/twice/-/twice-1.0.0.tgz', (_, response) => void promise.then(() => response.end(data)));
    const there = new Client(() => second.url, { name: alice.name, password: alice.password });
    const all = [alice, there, alice, there].map((caller) => tarball('twice', '1.0.0', caller));
    await eventually(async () => asked('/twice/-/twice-1.0.0.tgz') > 0, 'the request');
    resolve();
    for (const { status, bytes } of await Promise.all(all)) assert.ok(status === 200 && bytes.equals(data));
    assert.equal(asked('/twice/-/twice-1.0.0.tgz'), 1);
  } finally {
    await second.close();
  }
});

describe('a name of the owner', () => {
  it('is never looked for in an upstream, nor merged with what is there', async () => {
    for (const name of ['mine', 'was-mine', '@acme/one', '@acme/two', 'internal-tool', '@secret/x', '@instance/x']) {
      hasPackage(stub, name, { '9.9.9': { data: Buffer.from('evil') } });
    }
    await publish('mine');
    await publish('was-mine');
    await publish('@acme/one');
    await npm.delete(alice, 'npm/was-mine/-rev/1');
    stub.requests.length = 0;
    assert.deepEqual(Object.keys((await document('mine')).json.versions), ['1.0.0']);
    assert.equal((await tarball('mine', '9.9.9')).status, 404);
    for (const name of ['was-mine', 'Was-Mine', '@acme/two', 'internal-tool', '@secret/x', '@instance/x']) {
      assert.equal((await document(name)).status, 404, name);
      assert.equal((await tarball(name, '9.9.9')).status, 404, name);
    }
    await t.admin.must('POST', '/packages/alice/upstreams', { type: 'npm', url: stub.url, enabled: false, deny: ['free'] });
    hasPackage(stub, 'free', { '9.9.9': { data: Buffer.from('evil') } });
    assert.equal((await document('free')).status, 404);
    assert.deepEqual(stub.requests, []);
  });

  it("that is published while it is fetched is not the upstream's", async () => {
    hasPackage(stub, 'raced', { '9.9.9': { data: Buffer.from('evil') } });
    const { promise, resolve } = Promise.withResolvers<void>();
    stub.has('/raced', (_, response) => void promise.then(() => response.end(packument(stub.url, 'raced', {}))));
    const waiting = document('raced');
    await eventually(async () => asked('/raced') > 0, 'the request');
    assert.equal((await publish('raced')).status, 201);
    resolve();
    assert.equal((await waiting).status, 404);
    assert.deepEqual(Object.keys((await document('raced')).json.versions), ['1.0.0']);
  });

  it('that is gone, or shares a scope, comes from an upstream if a pattern allows exactly that name', async () => {
    await t.admin.must('PATCH', `/packages/alice/upstreams/${id}`, { allow: ['**', 'Was-mine', '@acme/two', 'mine'] });
    assert.equal((await document('was-mine')).status, 200);
    assert.equal((await document('@acme/two')).status, 200);
    assert.equal((await document('mine')).json.versions['9.9.9'], undefined);
    await t.admin.must('PATCH', `/packages/alice/upstreams/${id}`, { allow: ['**'] });
  });

  it('cannot become one while the upstream has it, unless a pattern denies that', async () => {
    hasPackage(stub, 'theirs', { '1.0.0': { data: Buffer.from('t') } });
    assert.equal((await document('theirs')).status, 200);
    assert.equal((await publish('theirs', '5.0.0')).status, 409);
    await t.admin.must('PATCH', `/packages/alice/upstreams/${id}`, { deny: ['internal*', '@secret/**', 'theirs'] });
    assert.equal((await document('theirs')).status, 404);
    assert.equal((await publish('theirs', '5.0.0')).status, 201);
    await t.admin.must('PATCH', `/packages/alice/upstreams/${id}`, { deny: ['internal*', '@secret/**'] });
    assert.deepEqual(Object.keys((await document('theirs')).json.versions), ['5.0.0']);
    assert.ok((await alice.get('/packages/alice')).json.every(({ name }: { name: string }) => name !== 'aging'));
  });
});

describe('what is cached', () => {
  it('is read by those who read the owner, but fetched for nobody without an account', async () => {
    hasPackage(stub, 'open', { '1.0.0': { data: Buffer.from('o') } });
    assert.equal((await document('open', t.anonymous)).status, 401);
    assert.equal((await document('open')).status, 200);
    assert.equal((await document('open', t.anonymous)).status, 200);
    await age(400);
    hasPackage(stub, 'open', { '1.0.0': { data: Buffer.from('o') }, '1.1.0': { data: Buffer.from('o') } });
    assert.deepEqual((await document('open', t.anonymous)).json['dist-tags'], { latest: '1.0.0' });
    assert.deepEqual((await document('open')).json['dist-tags'], { latest: '1.1.0' });
    assert.equal((await tarball('open', '1.0.0', t.anonymous)).status, 401);
    assert.equal((await tarball('open')).status, 200);
    assert.equal((await tarball('open', '1.0.0', t.anonymous)).text, 'o');
    const hidden = await t.user('hidden', { visibility: 'private' });
    await addUpstream(t.admin, 'hidden', { type: 'npm', url: stub.url });
    const before = stub.requests.length;
    assert.equal((await registry('hidden').get(alice, 'npm/open')).status, 401);
    assert.equal(stub.requests.length, before);
    assert.equal((await registry('hidden').get(hidden, 'npm/open')).status, 200);
  });

  it('is listed under its upstream, and purged', async () => {
    const path = `/packages/alice/upstreams/${id}/packages`;
    const { headers, json } = await alice.get(`${path}?limit=2`);
    assert.deepEqual([json.length, json[0].name, json[0].files > 0, json[0].size > 0], [2, '@acme/two', true, true]);
    assert.ok(Number(headers.get('x-total-count')) > 2);
    assert.equal((await t.admin.delete(`${path}/${encodeURIComponent('@types/left')}`)).status, 204);
    assert.equal((await t.admin.delete(`${path}/${encodeURIComponent('@types/left')}`)).status, 404);
    assert.equal((await alice.delete(`${path}/open`)).status, 403);
    assert.equal(asked('/@types/left/-/left-2.0.0.tgz'), 0);
    assert.equal((await tarball('@types/left', '2.0.0')).bytes.length, 300_000);
    assert.equal(asked('/@types/left/-/left-2.0.0.tgz'), 1);
  });
});
