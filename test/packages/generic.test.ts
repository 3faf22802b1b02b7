// On SQLite alone: what this asks of the database is plain, or asked of both by others.
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { collectPackages } from '../../src/packages/blobs/collect.ts';
import { blobKey } from '../../src/packages/blobs/content.ts';
import { writeDownloads } from '../../src/packages/registry/downloads.ts';
import { eventually } from '../support/eventually.ts';
import { testServer } from '../support/server.ts';
import { digestsOf, inShort, packageTeams, registry, storedKeys } from './support/registry.ts';

const t = await testServer({ packages: { limitSizeGeneric: 300_000, unlinkedExpiry: 0 } });
const alice = await t.user('alice');
const bob = await t.user('bob');
const packages = registry('alice');
const rows = (table: 'packages' | 'package_versions' | 'package_files' | 'package_blobs') =>
  t.context.db.selectFrom(table).selectAll().execute();
const collect = () => collectPackages(t.context, new AbortController().signal);

describe('a generic package', () => {
  it('is published, read by everybody, and deleted', async () => {
    assert.equal((await packages.put(alice, 'generic/tool/1.0/a.txt', 'hello')).status, 201);
    assert.deepEqual(inShort(await packages.put(alice, 'generic/Tool/1.0/A.txt', 'other')), [409, 'package file already exists']);
    const read = await packages.get(t.anonymous, 'generic/TOOL/1.0/a.TXT');
    assert.deepEqual(inShort(read), [200, 'hello']);
    assert.equal(read.headers.get('etag'), `"${digestsOf('hello').sha256}"`);
    const blob = await t.context.db.selectFrom('package_blobs').selectAll().executeTakeFirstOrThrow();
    assert.deepEqual({ ...digestsOf('hello'), size: 5 }, { ...digestsOf('hello'), size: blob.size });
    for (const [name, digest] of Object.entries(digestsOf('hello'))) assert.equal(blob[name as 'md5'], digest);
    assert.deepEqual(inShort(await packages.delete(alice, 'generic/tool/1.0/a.txt')), [204, '']);
    assert.deepEqual(inShort(await packages.get(alice, 'generic/tool/1.0/a.txt')), [404, 'package does not exist']);
    assert.deepEqual(await rows('package_versions'), []);
  });

  it('is served in parts and as a length, and only once to those who have it', async () => {
    await packages.put(alice, 'generic/parts/1/file', '0123456789');
    const part = await packages.get(alice, 'generic/parts/1/file', { range: 'bytes=3-5' });
    assert.deepEqual([...inShort(part), part.headers.get('content-range')], [206, '345', 'bytes 3-5/10']);
    assert.equal((await packages.get(alice, 'generic/parts/1/file', { range: 'bytes=10-' })).status, 416);
    assert.equal(
      (await packages.get(alice, 'generic/parts/1/file', { 'if-unmodified-since': 'Thu, 01 Jan 2004 00:00:00 GMT' })).status,
      412,
    );
    assert.equal((await packages.get(alice, 'generic/parts/1/file', { 'if-match': '"other"' })).status, 412);
    assert.equal((await packages.get(alice, 'generic/parts/1/file', { 'if-match': '*' })).status, 200);
    const head = await packages.head(alice, 'generic/parts/1/file');
    assert.deepEqual([head.status, head.headers.get('content-length'), head.text], [200, '10', '']);
    const etag = `"${digestsOf('0123456789').sha256}"`;
    assert.equal((await packages.get(alice, 'generic/parts/1/file', { 'if-none-match': etag })).status, 304);
  });

  it('counts downloads', async () => {
    await packages.put(alice, 'generic/counted/1/file', 'x');
    for (let i = 0; i < 3; i++) await packages.get(t.anonymous, 'generic/counted/1/file');
    await packages.head(t.anonymous, 'generic/counted/1/file');
    await writeDownloads(t.context);
    const counted = await t.context.db
      .selectFrom('package_versions')
      .innerJoin('packages', 'packages.id', 'package_versions.package_id')
      .select('download_count')
      .where('packages.name', '=', 'counted')
      .executeTakeFirstOrThrow();
    assert.equal(counted.download_count, 3);
  });

  it('has one content for equal files, which goes with the last of them', async () => {
    for (const name of ['one', 'two']) await packages.put(alice, `generic/${name}/1/file`, 'the same');
    const same = () => t.context.db.selectFrom('package_blobs').selectAll().where('sha256', '=', digestsOf('the same').sha256).execute();
    const [blob, ...others] = await same();
    assert.ok(blob && others.length === 0);
    await packages.delete(alice, 'generic/one/1');
    await collect();
    assert.deepEqual(inShort(await packages.get(alice, 'generic/two/1/file')), [200, 'the same']);
    await packages.delete(alice, 'generic/two/1');
    await collect();
    assert.deepEqual(await same(), []);
    assert.ok(!(await storedKeys(t)).includes(blobKey(blob)));
    assert.ok(!(await rows('packages')).some(({ name }) => name === 'one' || name === 'two'));
  });

  it('leaves nothing when it is refused', async () => {
    assert.equal((await packages.put(alice, 'generic/refused/1/file', 'first')).status, 201);
    const before = await storedKeys(t);
    assert.equal((await packages.put(alice, 'generic/refused/1/file', 'second')).status, 409);
    const second = t.context.db.selectFrom('package_blobs').select('id').where('sha256', '=', digestsOf('second').sha256);
    assert.deepEqual([await second.execute(), await storedKeys(t)], [[], before]);
  });

  it('is stored again where its bytes were lost', async () => {
    await packages.put(alice, 'generic/lost/1/file', 'lost bytes');
    const blob = await t.context.db
      .selectFrom('package_blobs')
      .selectAll()
      .where('sha256', '=', digestsOf('lost bytes').sha256)
      .executeTakeFirstOrThrow();
    await t.context.storage.delete(blobKey(blob));
    assert.equal((await packages.get(alice, 'generic/lost/1/file')).status, 404);
    await packages.put(alice, 'generic/lost/2/file', 'lost bytes');
    assert.deepEqual(inShort(await packages.get(alice, 'generic/lost/1/file')), [200, 'lost bytes']);
  });

  it('has names and sizes within bounds', async () => {
    const before = await storedKeys(t);
    const put = async (path: string, content = 'x') => inShort(await packages.put(alice, path, content));
    assert.deepEqual(await put('generic/bad%20name/1/a'), [400, 'invalid package name']);
    assert.deepEqual(await put('generic/-/1/a'), [400, 'invalid package name']);
    assert.deepEqual(await put('generic/tool/%201/a'), [400, 'invalid package version']);
    assert.deepEqual(await put('generic/tool/1/%20a'), [400, 'invalid filename']);
    assert.deepEqual(await put(`generic/${'a'.repeat(256)}/1/a`), [400, 'a name has more than 255 characters']);
    assert.deepEqual(await put('generic/tool/1/a', 'x'.repeat(300_001)), [403, 'maximum allowed package type size exceeded']);
    assert.equal((await put('generic/tool/1/a/b'))[0], 404);
    assert.equal((await packages.post(alice, 'generic/tool/1/a', 'x')).status, 405);
    await collect();
    assert.deepEqual(await storedKeys(t), before);
    assert.deepEqual(inShort(await packages.put(t.admin, 'generic/tool/1/large', 'x'.repeat(300_001))), [201, '']);
  });

  it('is not lost when another is deleted with its version at the same time', async () => {
    for (let round = 0; round < 10; round++) {
      await packages.put(alice, `generic/race/${round}/old`, 'old');
      const [, added] = await Promise.all([
        packages.delete(alice, `generic/race/${round}/old`),
        packages.put(alice, `generic/race/${round}/new`, 'new'),
      ]);
      assert.equal(added.status, 201);
      assert.equal((await packages.get(alice, `generic/race/${round}/new`)).status, 200);
    }
  });

  it('comes in a form too', async () => {
    const form = new FormData();
    form.append('anything', new Blob(['of a form']), 'x.txt');
    assert.equal((await alice.send('PUT', '//api/packages/alice/generic/form/1/file', { form })).status, 201);
    assert.deepEqual(inShort(await packages.get(alice, 'generic/form/1/file')), [200, 'of a form']);
  });

  it('is published by nobody else', async () => {
    for (const caller of [bob, t.anonymous]) {
      const refused = await packages.put(caller, 'generic/tool/2/a', 'x');
      assert.deepEqual([refused.status, refused.headers.get('www-authenticate')], [401, 'Basic realm="Gitea Package API"']);
      assert.equal((await packages.delete(caller, 'generic/parts/1')).status, 401);
      assert.equal((await packages.delete(caller, 'generic/parts/1/file')).status, 401);
    }
    assert.equal((await packages.get(bob, 'generic/parts/1/file')).status, 200);
  });

  it('is nothing for credentials that sign nobody in', async () => {
    for (const authorization of [
      `Basic ${btoa(':')}`,
      `Basic ${btoa('name')}`,
      'Basic',
      'Basic !',
      'Digest x',
      'x',
      'Bearer',
      'token a b',
    ]) {
      for (const path of ['generic/parts/1/file', 'generic/absent/1/file', 'npm/absent']) {
        assert.deepEqual(inShort(await packages.get(t.anonymous, path, { authorization })), [401, 'Failed to authenticate user\n'], path);
      }
      assert.equal((await t.anonymous.send('GET', '//v2/token', { headers: { authorization } })).status, 401);
    }
    assert.equal((await t.anonymous.get('//v2/token')).status, 200);
  });

  it('is published by those whose team may write packages', async () => {
    const { owner, reader, writer, stranger } = await packageTeams(t, 'guild');
    const guild = registry('guild');
    assert.equal((await guild.put(owner, 'generic/tool/1/a', 'x')).status, 201);
    assert.equal((await guild.put(writer, 'generic/tool/1/b', 'x')).status, 201);
    for (const caller of [reader, stranger]) assert.equal((await guild.put(caller, 'generic/tool/1/c', 'x')).status, 401);
  });

  it('is hidden with its owner', async () => {
    const hidden = registry('hidden');
    const owner = await t.user('hidden', { visibility: 'private' });
    assert.equal((await hidden.put(owner, 'generic/tool/1/a', 'x')).status, 201);
    for (const caller of [bob, t.anonymous]) assert.equal((await hidden.get(caller, 'generic/tool/1/a')).status, 401);
    const publicOnly = await owner.token(['public-only', 'all']);
    assert.deepEqual(inShort(await hidden.get(publicOnly, 'generic/tool/1/a')), [403, 'token scope is limited to public packages']);
  });

  it('needs the scope of packages', async () => {
    const [reading, writing, other] = [
      await alice.token(['read:package']),
      await alice.token(['write:package']),
      await alice.token(['write:repository']),
    ];
    const statuses = async (caller: typeof reading) => [
      (await packages.get(caller, 'generic/parts/1/file')).status,
      (await packages.put(caller, `generic/scopes/1/${caller.password}`, 'x')).status,
    ];
    assert.deepEqual(
      [await statuses(reading), await statuses(writing), await statuses(other)],
      [
        [200, 401],
        [200, 201],
        [401, 401],
      ],
    );
  });
});

describe('a refused upload', () => {
  it('gets its response while it is still being sent', async () => {
    const body = Buffer.alloc(900_000);
    const refused = await packages.put(t.anonymous, 'generic/tool/9/large', body);
    assert.deepEqual([refused.status, refused.headers.get('connection')], [401, 'keep-alive']);
    const larger = await packages.put(alice, 'generic/tool/9/large', body);
    assert.equal(larger.status, 403);
  });

  it('is refused when the right was taken away meanwhile', async () => {
    const { owner, writer } = await packageTeams(t, 'crew');
    const [team] = (await owner.must('GET', '/orgs/crew/teams')).filter(({ name }: { name: string }) => name === 'writer');
    let send: (chunk: string) => void = () => {};
    const begun = Promise.withResolvers<void>();
    const stream = new ReadableStream({
      start(controller) {
        send = (chunk) => {
          controller.enqueue(new TextEncoder().encode(chunk));
          controller.close();
        };
        // A smaller beginning waits for more in memory.
        controller.enqueue(new Uint8Array(256 * 1024));
        begun.resolve();
      },
    });
    const authorization = `Basic ${Buffer.from(`${writer.name}:${writer.password}`).toString('base64')}`;
    const url = `${t.url}api/packages/crew/generic/tool/1/file`;
    const request = { method: 'PUT', body: stream, headers: { authorization }, duplex: 'half' };
    const sent = fetch(url, request);
    await begun.promise;
    const folder = join(t.folder, 'data', 'storage', 'tmp');
    await eventually(async () => (await readdir(folder).catch(() => [])).length > 0, 'the begin of the upload');
    await owner.must('DELETE', `/teams/${team.id}/members/${writer.name}`);
    send('second');
    assert.equal((await sent).status, 401);
    assert.equal((await registry('crew').get(owner, 'generic/tool/1/file')).status, 404);
  });
});
