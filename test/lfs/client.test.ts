// On SQLite alone: what this asks of the database is plain, or asked of both by others.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, it } from 'node:test';
import { lfsPointers } from '../../src/git/trees/lfs-pointers.ts';
import { endpointOf, fetchObjects, type LfsRemote, pushObjects } from '../../src/lfs/client.ts';
import { testServer } from '../support/server.ts';
import { download, largeFile, MEDIA, plain, pointerOf, rowOf, upload } from './objects.ts';

const t = await testServer({ outgoing: { allowedHosts: ['loopback'] } });
const guarded = await testServer();
const alice = await t.user('alice');
for (const name of ['source', 'mirror', 'target']) await alice.must('POST', '/user/repos', { name, private: true, auto_init: true });
const mirror = await rowOf(t, 'alice', 'mirror');
const remoteOf = (name: string): LfsRemote => ({
  endpoint: endpointOf(`${t.url}alice/${name}.git`),
  credentials: { name: 'alice', password: alice.password },
});

/** A remote that responds as it is told. */
async function fakeRemote(respond: (path: string, base: string) => { status?: number; body: unknown; headers?: Record<string, string> }) {
  const seen: { path: string; authorization: string | undefined }[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    seen.push({ path, authorization: request.headers.authorization });
    const { status = 200, body, headers } = respond(path, base);
    request.resume().on('end', () => response.writeHead(status, headers).end(Buffer.isBuffer(body) ? body : JSON.stringify(body)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => server.close());
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { base, seen, remote: { endpoint: `${base}/info/lfs`, credentials: { name: 'me', password: 'secret' } } };
}

describe('the client of other servers', () => {
  it('derives the URL from that of the repository', () => {
    assert.equal(endpointOf('https://host/owner/name.git'), 'https://host/owner/name.git/info/lfs');
    assert.equal(endpointOf('https://host/owner/name/'), 'https://host/owner/name.git/info/lfs');
  });

  it('fetches what the repository does not have, and says what is missing', async () => {
    const [one, two, missing] = [largeFile(), largeFile(Buffer.alloc(300_000, 7)), largeFile()];
    for (const file of [one, two]) await upload(alice, 'alice/source', file);
    for (const [index, file] of [one, two, missing].entries()) {
      await alice.must('POST', `/repos/alice/source/contents/${index}.bin`, { content: Buffer.from(pointerOf(file)).toString('base64') });
    }
    const folder = t.context.git.locate(await rowOf(t, 'alice', 'source'));
    const pointers = () => lfsPointers(folder, t.context.git.pool, undefined, { timeoutMs: 60_000 });
    const told: number[] = [];
    const first = await fetchObjects(t.context, mirror.id, remoteOf('source'), pointers(), {
      onProgress: ({ objects }) => told.push(objects),
    });
    assert.deepEqual([first.transferred, first.bytes, first.failed], [2, one.size + two.size, [{ oid: missing.oid, reason: 'Not Found' }]]);
    assert.equal(told.at(-1), 2);
    assert.deepEqual((await download(alice, 'alice/mirror', two.oid)).bytes, two.content);
    const again = await fetchObjects(t.context, mirror.id, remoteOf('source'), pointers());
    assert.deepEqual([again.transferred, again.failures], [0, 1]);
    const small = await fetchObjects(t.context, (await rowOf(t, 'alice', 'target')).id, remoteOf('source'), [plain(two)], {
      maxSize: 1000,
    });
    assert.deepEqual(small.failed, [{ oid: two.oid, reason: 'it has more than 1000 bytes' }]);
  });

  it('sends what the other side does not have', async () => {
    const [here, nowhere] = [largeFile(Buffer.alloc(300_000, 8)), largeFile()];
    await upload(alice, 'alice/mirror', here);
    // Somebody who cannot read the mirror has to send it.
    const writer = await t.user('writer');
    await writer.must('POST', '/user/repos', { name: 'target', private: true });
    const remote = { endpoint: endpointOf(`${t.url}writer/target`), credentials: { name: 'writer', password: writer.password } };
    const sent = await pushObjects(t.context, mirror.id, remote, [plain(here), plain(nowhere)]);
    assert.deepEqual([sent.transferred, sent.failed], [1, [{ oid: nowhere.oid, reason: 'it is not here' }]]);
    assert.deepEqual((await download(writer, 'writer/target', here.oid)).bytes, here.content);
    assert.equal((await pushObjects(t.context, mirror.id, remote, [plain(here)])).transferred, 0);
  });

  it('stops where the other side refuses, and uses the credentials in a URL', async () => {
    const wrong = { ...remoteOf('source'), credentials: { name: 'alice', password: 'wrong' } };
    await assert.rejects(fetchObjects(t.context, mirror.id, wrong, [plain(largeFile())]), /responded with 401/);
    const file = largeFile();
    await upload(alice, 'alice/source', file);
    const url = new URL(endpointOf(`${t.url}alice/source`));
    url.username = 'alice';
    url.password = alice.password;
    assert.equal((await fetchObjects(t.context, mirror.id, { endpoint: url.href }, [plain(file)])).transferred, 1);
  });

  it('keeps nothing of what is wrong', async () => {
    const file = largeFile('what was promised');
    const actions = (base: string) => ({ download: { href: `${base}/file`, header: { 'X-Extra': 'yes', Host: 'evil' } } });
    for (const content of ['what came instead', 'short', 'longer than what was promised']) {
      const { remote } = await fakeRemote((path, base) =>
        path === '/file'
          ? { body: Buffer.from(content) }
          : { body: { objects: [{ ...plain(file), actions: actions(base) }] }, headers: { 'content-type': MEDIA } },
      );
      const { transferred, failures } = await fetchObjects(t.context, mirror.id, remote, [plain(file)]);
      assert.deepEqual([transferred, failures], [0, 1]);
      assert.equal((await download(alice, 'alice/mirror', file.oid)).status, 404);
    }
    for (const body of ['no list', { objects: 7 }, { transfer: 'other', objects: [] }]) {
      const { remote } = await fakeRemote(() => ({ body }));
      await assert.rejects(fetchObjects(t.context, mirror.id, remote, [plain(file)]), { name: 'LfsRemoteError' });
    }
    const { remote } = await fakeRemote(() => ({ body: { objects: [{ ...plain(file), actions: { download: { href: 'no address' } } }] } }));
    assert.equal((await fetchObjects(t.context, mirror.id, remote, [plain(file)])).failures, 1);
  });

  it('sends its credentials to the server only, and reaches no forbidden URL', async () => {
    const file = largeFile('hello');
    const other = await fakeRemote(() => ({ body: file.content }));
    const { remote, seen } = await fakeRemote((path) =>
      path === '/file'
        ? { body: file.content }
        : { body: { objects: [{ ...plain(file), actions: { download: { href: `${other.base}/file` } } }] } },
    );
    assert.equal((await fetchObjects(t.context, mirror.id, remote, [plain(file)])).transferred, 1);
    assert.deepEqual([seen.length, other.seen], [1, [{ path: '/file', authorization: undefined }]]);
    assert.match(seen[0]?.authorization ?? '', /^Basic /);

    await guarded.user('bob').then((bob) => bob.must('POST', '/user/repos', { name: 'mirror' }));
    const row = await rowOf(guarded, 'bob', 'mirror');
    await assert.rejects(fetchObjects(guarded.context, row.id, remote, [plain(file)]), { name: 'HostNotAllowedError' });
  });
});
