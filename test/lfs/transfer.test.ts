// On SQLite alone: what this asks of the database is plain, or asked of both by others.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { lfsKey } from '../../src/lfs/objects/stored.ts';
import { eventually } from '../support/eventually.ts';
import { testServer } from '../support/server.ts';
import { batch, download, inShort, largeFile, MEDIA, plain, rowOf, upload, verify } from './objects.ts';

const t = await testServer({ lfs: { maxFileSize: 100_000, maxBatchSize: 3 } });
const alice = await t.user('alice');
await alice.must('POST', '/user/repos', { name: 'open' });
const open = 'alice/open';

const stored = (oid: string) => t.context.db.selectFrom('lfs_objects').selectAll().where('oid', '=', oid).executeTakeFirst();
const blobs = async () => (await Array.fromAsync(t.context.storage.list('lfs/'))).map(({ key }) => key).sort();

describe('a large file', () => {
  it('is sent, confirmed, and fetched by everybody who may', async () => {
    const file = largeFile('hello\n');
    const asked = await batch(alice, open, 'upload', [plain(file)]);
    assert.deepEqual([asked.status, asked.headers.get('content-type')], [200, MEDIA]);
    const [{ actions, ...rest }] = asked.json.objects;
    assert.deepEqual([rest, asked.json.transfer, asked.json.hash_algo], [plain(file), 'basic', 'sha256']);
    assert.equal(actions.upload.href, `${t.server.services.settings.server.rootUrl}alice/open.git/info/lfs/objects/${file.oid}/6`);
    assert.deepEqual(inShort(await batch(alice, open, 'download', [plain(file)])), [404]);
    assert.equal((await verify(alice, open, file)).status, 404);

    const sent = await upload(t.anonymous, open, file, actions.upload.header.Authorization);
    assert.deepEqual([sent.status, sent.headers.get('content-type'), sent.json], [200, MEDIA, { Message: 'OK' }]);
    assert.equal((await verify(alice, open, plain(file))).status, 200);
    assert.equal((await verify(alice, open, { oid: file.oid, size: 5 })).status, 422);
    const unknown = await alice.get(`//${open}.git/info/lfs/objects/x`);
    assert.deepEqual([unknown.status, unknown.json], [422, { Message: 'Oid or size are invalid' }]);
    assert.deepEqual(inShort(await batch(alice, open, 'upload', [plain(file)])), ['nothing']);
    const told = await batch(t.anonymous, open, 'download', [plain(file)]);
    assert.equal(told.json.objects[0].actions.download.header, undefined);
    const fetched = await download(t.anonymous, open, file.oid);
    assert.deepEqual([fetched.status, fetched.text, fetched.headers.get('content-type')], [200, 'hello\n', 'application/octet-stream']);
  });

  it('is served in parts, under a name, and as a length', async () => {
    const file = largeFile('0123456789');
    await upload(alice, open, file);
    const part = await download(alice, open, file.oid, { range: 'bytes=3-5' });
    assert.deepEqual([part.status, part.text, part.headers.get('content-range')], [206, '345', 'bytes 3-5/10']);
    const rest = await download(alice, open, file.oid, { range: 'bytes=7-' });
    assert.deepEqual([rest.status, rest.text], [206, '789']);
    const beyond = await download(alice, open, file.oid, { range: 'bytes=10-' });
    assert.deepEqual([beyond.status, beyond.json], [416, { Message: 'Requested Range Not Satisfiable' }]);
    const name = Buffer.from('a "b"\r\nx.bin').toString('base64url');
    const named = await alice.send('GET', `//${open}.git/info/lfs/objects/${file.oid}/${name}`);
    assert.equal(named.status, 200);
    assert.match(named.headers.get('content-disposition') ?? '', /^attachment; /);
    const head = await alice.send('HEAD', `//${open}.git/info/lfs/objects/${file.oid}`);
    assert.deepEqual([head.status, head.headers.get('content-length')], [200, '10']);
    const unchanged = await download(alice, open, file.oid, { 'if-none-match': `"${file.oid}"` });
    assert.equal(unchanged.status, 304);
  });

  it('can be empty', async () => {
    const empty = largeFile('');
    assert.equal((await upload(alice, open, empty)).status, 200);
    const fetched = await download(alice, open, empty.oid);
    assert.deepEqual([fetched.status, fetched.bytes.length], [200, 0]);
    assert.deepEqual(inShort(await batch(alice, open, 'upload', [{ oid: empty.oid }])), ['nothing']);
    assert.deepEqual(inShort(await batch(alice, open, 'download', [{ oid: empty.oid }])), ['download']);
  });

  it('is refused with other bytes, and nothing is left of it', async () => {
    const file = largeFile('what was promised');
    const before = await blobs();
    const other = await upload(alice, open, { ...file, content: Buffer.from('what came instead') });
    assert.deepEqual([other.status, other.json], [422, { Message: 'content hash does not match OID' }]);
    for (const content of ['longer than promised', 'short']) {
      const wrong = await upload(alice, open, { ...file, content: Buffer.from(content) });
      assert.deepEqual([wrong.status, wrong.json], [422, { Message: 'content size does not match' }]);
    }
    // Without a length before it.
    for (const content of ['longer than promised', 'short']) {
      const body = new Blob([content]).stream();
      const url = `${t.url}${open}.git/info/lfs/objects/${file.oid}/${file.size}`;
      const authorization = `Basic ${Buffer.from(`alice:${alice.password}`).toString('base64')}`;
      const wrong = await fetch(url, { method: 'PUT', body, headers: { authorization }, duplex: 'half' } as RequestInit);
      assert.deepEqual([wrong.status, await wrong.json()], [422, { Message: 'content size does not match' }]);
    }
    assert.deepEqual([await stored(file.oid), await blobs()], [undefined, before]);
    // What is there already is not lost to somebody who sends something else under its id.
    await upload(alice, open, file);
    assert.equal((await upload(alice, open, { ...file, content: Buffer.from('what came instead') })).status, 422);
    assert.equal((await download(alice, open, file.oid)).text, 'what was promised');
  });

  it('leaves nothing when its sender goes', async () => {
    const file = largeFile(randomBytes(50_000));
    const before = await blobs();
    const { port } = new URL(t.url);
    const socket = connect(Number(port), '127.0.0.1');
    const authorization = `Basic ${Buffer.from(`alice:${alice.password}`).toString('base64')}`;
    const lines = [`PUT /${open}.git/info/lfs/objects/${file.oid}/${file.size} HTTP/1.1`, 'Host: x', `Authorization: ${authorization}`];
    socket.write(`${lines.join('\r\n')}\r\nContent-Length: ${file.size}\r\n\r\n`);
    socket.write(file.content.subarray(0, 20_000));
    const { uploads } = t.server.services.semaphores;
    await eventually(() => uploads.taken > 0, 'the upload to begin');
    socket.destroy();
    await eventually(() => uploads.taken === 0, 'the upload to end');
    assert.deepEqual([await stored(file.oid), await blobs()], [undefined, before]);
  });

  it('is stored once, and repaired by the next upload when its bytes are lost', async () => {
    await alice.must('POST', '/user/repos', { name: 'other' });
    const file = largeFile();
    for (const repository of [open, 'alice/other', open]) assert.equal((await upload(alice, repository, file)).status, 200);
    const row = await stored(file.oid);
    assert.ok(row);
    assert.equal((await blobs()).filter((key) => key === lfsKey(row)).length, 1);
    await t.context.storage.delete(lfsKey(row));
    assert.equal((await download(alice, open, file.oid)).status, 404);
    assert.deepEqual(inShort(await batch(alice, open, 'download', [plain(file)])), [404]);
    assert.deepEqual(inShort(await batch(alice, open, 'upload', [plain(file)])), ['upload']);
    assert.equal((await upload(alice, open, file)).status, 200);
    assert.deepEqual((await download(alice, 'alice/other', file.oid)).bytes, file.content);
  });

  it('counts once when two send it at once', async () => {
    await alice.must('POST', '/user/repos', { name: 'twice' });
    const file = largeFile(randomBytes(60_000));
    const answers = await Promise.all([1, 2, 3].map(() => upload(alice, 'alice/twice', file)));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200],
    );
    const row = await rowOf(t, 'alice', 'twice');
    assert.equal(row.lfs_size, 60_000);
    assert.equal((await blobs()).filter((key) => key.includes(file.oid.slice(4))).length, 1);
    assert.deepEqual((await download(alice, 'alice/twice', file.oid)).bytes, file.content);
  });
});

describe('a batch request', () => {
  it('says of each object what is wrong', async () => {
    const file = largeFile();
    await upload(alice, open, file);
    const wrong = [{ oid: 'none', size: 1 }, { oid: file.oid, size: 1 }, 7];
    const { json } = await batch(alice, open, 'download', wrong);
    // biome-ignore lint/suspicious/noExplicitAny: of whatever came
    const told = json.objects.map(({ oid, size, error }: any) => [oid, size, error.code, error.message]);
    assert.deepEqual(told, [
      ['none', 1, 422, 'Oid or size are invalid'],
      [file.oid, 1, 422, `Object ${file.oid} is not 1 bytes`],
      ['', 0, 422, 'Oid or size are invalid'],
    ]);
    const large = await batch(alice, open, 'upload', [{ oid: 'a'.repeat(64), size: 100_001 }]);
    assert.deepEqual(large.json.objects[0].error, { code: 422, message: 'Size must be less than or equal to 100000' });
    const hashed = await batch(alice, open, 'download', [plain(file)], { body: { hash_algo: 'sha512' } });
    assert.deepEqual(inShort(hashed), [409]);
    assert.deepEqual(
      inShort(await batch(alice, open, 'download', [plain(file)], { body: { hash_algo: 'sha256', ref: { name: 'refs/heads/x' } } })),
      ['download'],
    );
  });

  it('is refused where it is none', async () => {
    const ask = (json: unknown, headers: Record<string, string> = { accept: MEDIA }) =>
      alice.send('POST', `//${open}.git/info/lfs/objects/batch`, { json, headers });
    const object = { oid: 'a'.repeat(64), size: 1 };
    assert.equal((await ask({ operation: 'sideways', objects: [object] })).status, 400);
    assert.equal((await ask({ operation: 'download' })).status, 400);
    assert.equal((await ask([])).status, 400);
    const many = await ask({ operation: 'download', objects: [object, object, object, object] });
    assert.deepEqual([many.status, many.json], [413, { Message: 'Request Entity Too Large' }]);
    const long = await ask({ operation: 'download', objects: [], more: 'x'.repeat(1024 * 1024) });
    assert.equal(long.status, 413);
    const plainJson = await ask({ operation: 'download', objects: [] }, { accept: 'application/json' });
    assert.deepEqual([plainJson.status, plainJson.json], [415, { Message: 'Unsupported Media Type' }]);
    assert.equal((await ask({ operation: 'download', objects: [] }, { accept: `${MEDIA}; charset=utf-8, */*` })).status, 200);
    const broken = await alice.send('POST', `//${open}.git/info/lfs/objects/batch`, { raw: '{', headers: { accept: MEDIA } });
    assert.deepEqual([broken.status, broken.json], [400, { Message: 'Bad Request' }]);
  });

  it('has a bound on the size of a file also where it is sent', async () => {
    const file = largeFile(randomBytes(100_001));
    const sent = await upload(alice, open, file);
    assert.deepEqual([sent.status, sent.json], [422, { Message: 'Size must be less than or equal to 100000' }]);
    for (const path of [`abc/3`, `${file.oid}/-1`, `${file.oid}/x`, `${file.oid.toUpperCase()}/3`]) {
      const wrong = await alice.send('PUT', `//${open}.git/info/lfs/objects/${path}`, { raw: 'abc' });
      assert.deepEqual([wrong.status, wrong.json], [422, { Message: 'Unprocessable Entity' }], path);
    }
    assert.equal((await download(alice, open, 'abc')).status, 422);
    for (const object of [{ oid: 'abc', size: 3 }, { oid: file.oid, size: -1 }, { oid: 7 }]) {
      const wrong = await verify(alice, open, object);
      assert.deepEqual([wrong.status, wrong.json], [422, { Message: 'Oid or size are invalid' }]);
    }
    const packed = await alice.send('PUT', `//${open}.git/info/lfs/objects/${file.oid}/3`, {
      raw: 'abc',
      headers: { 'content-encoding': 'gzip' },
    });
    assert.equal(packed.status, 415);
  });
});

it('nothing is served where large files are off', async () => {
  const off = await testServer({ lfs: { enabled: false } });
  const bob = await off.user('bob');
  await bob.must('POST', '/user/repos', { name: 'open' });
  assert.equal((await batch(bob, 'bob/open', 'download', [])).status, 404);
  assert.equal((await bob.get('/settings/repository')).json.lfs_disabled, true);
  assert.equal((await alice.get('/settings/repository')).json.lfs_disabled, false);
});
