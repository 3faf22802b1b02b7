import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { callerKey } from '../../src/context.ts';
import { GitError } from '../../src/git/processes/process.ts';
import { diskFull } from '../../src/http/server/disk-errors.ts';
import type { Client } from '../support/client.ts';
import { closed } from '../support/closed.ts';
import { eventually } from '../support/eventually.ts';
import { testServer } from '../support/server.ts';

// On SQLite alone: what this asks of the database is plain, or asked of both by others.

const MIB = 2 ** 20;
const t = await testServer({
  server: { idleTimeout: 1000 },
  limits: { jsonBody: 4 * MIB, bodyMemory: 2 * MIB, bodyMemoryPerCaller: MIB, queueTimeout: 200, searchesPerCaller: 1 },
});
const alice = await t.user('alice');
const bob = await t.user('bob');
await alice.must('POST', '/user/repos', { name: 'demo' });
await alice.must('POST', '/repos/alice/demo/issues', { title: 'One' });
const { semaphores } = t.context;

/** Begins a request and sends a part of its body; what comes back is collected. */
function begin(client: Client, headers: readonly string[], sent: string): { socket: Socket; text: () => string } {
  const { hostname, port } = new URL(t.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  let text = '';
  socket.setEncoding('latin1').on('data', (piece: string) => {
    text += piece;
  });
  const authorization = `Authorization: Basic ${Buffer.from(`${client.name}:${client.password}`).toString('base64')}`;
  const lines = ['POST /api/v1/repos/alice/demo/issues HTTP/1.1', 'Host: x', authorization, 'Content-Type: application/json', ...headers];
  socket.write(`${lines.join('\r\n')}\r\n\r\n${sent}`);
  return { socket, text: () => text };
}

describe('a body', () => {
  it('of pieces that is too large is refused, not cut off', async () => {
    const piece = `${(64 * 1024).toString(16)}\r\n${'x'.repeat(64 * 1024)}\r\n`;
    const { socket, text } = begin(alice, ['Transfer-Encoding: chunked'], piece.repeat(65));
    await eventually(() => text().includes('request body is too large'), 'the refusal');
    assert.match(text(), /^HTTP\/1\.1 413 /);
    socket.destroy();
  });

  it('that does not come ends with its connection', async () => {
    const { socket, text } = begin(alice, ['Content-Length: 1000'], '{"title":');
    await closed(socket);
    assert.match(text(), /^HTTP\/1\.1 408 /);
  });

  it('waits for memory, of which nobody takes all', async () => {
    const held = [0, 1, 2].map(() => begin(alice, [`Content-Length: ${MIB}`], '{'));
    await eventually(() => semaphores.bodies.taken === MIB, 'the memory of one');
    const title = { title: 'Two', body: 'x'.repeat(MIB / 2) };
    assert.equal((await bob.post('/repos/alice/demo/issues', title)).status, 201);
    await eventually(() => held.some(({ text }) => text().startsWith('HTTP/1.1 503 ')), 'the refusal of one that waited');
    await eventually(() => semaphores.bodies.taken === 0, 'the end of all');
    for (const { socket } of held) socket.destroy();
  });
});

describe('an address', () => {
  it('is no longer than the settings say', async () => {
    const { queryLength } = t.context.settings.limits;
    const path = (length: number) => `/version?x=${'y'.repeat(length - '/api/v1/version?x='.length)}`;
    assert.equal((await alice.get(path(queryLength))).status, 200);
    assert.equal((await alice.get(path(queryLength + 1))).status, 414);
  });
});

describe('a server that is busy', () => {
  it('says when to come back, to the caller who keeps it so', async () => {
    const id = (await alice.must('GET', '/user')).id as number;
    const release = await semaphores.searches.acquire(callerKey({ actor: { id } as never, address: '' }));
    const { status, headers } = await alice.get('/repos/search');
    assert.deepEqual([status, headers.get('retry-after')], [503, '10']);
    assert.equal((await bob.get('/repos/search')).status, 200);
    release();
    assert.equal((await alice.get('/repos/search')).status, 200);
    assert.equal(semaphores.searches.taken, 0);
  });

  it('says so to who signs in with a password', async () => {
    const { passwords } = t.context;
    let refusals = 0;
    let isDone = false;
    // A verified client comes again at once, so the queue stays full however fast the machine is.
    const comeAgain = async () => {
      while (!isDone) {
        await passwords.verify('x', null, '127.0.0.1').catch(async () => {
          refusals++;
          await sleep(1);
        });
      }
    };
    const work = Array.from({ length: 120 }, comeAgain);
    await eventually(() => refusals > 0, 'a full queue');
    const stranger = { authorization: `Basic ${Buffer.from('alice:wrong').toString('base64')}` };
    const { status } = await t.anonymous.get('/user', { headers: stranger });
    isDone = true;
    await Promise.all(work);
    assert.equal(status, 503);
  });
});

describe('a full disk', () => {
  it('gets an error with a reason, and nothing is stored', async () => {
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    const { storage } = t.context;
    const put = storage.put.bind(storage);
    storage.put = () => Promise.reject(full);
    const form = new FormData();
    form.set('attachment', new Blob(['a']), 'a.txt');
    const { status, json } = await alice.send('POST', '/repos/alice/demo/issues/1/assets', { form });
    storage.put = put;
    assert.deepEqual([status, json.message], [507, 'the server has no disk space left']);
    assert.deepEqual(await alice.must('GET', '/repos/alice/demo/issues/1/assets'), []);
  });

  it('is known by what git says, too, and inside of other errors', () => {
    const error = new GitError(['merge-tree'], 128, 'fatal: unable to write loose object file: No space left on device\n');
    assert.equal(diskFull(error)?.status, 507);
    assert.equal(diskFull(new Error('a merge failed', { cause: error }))?.status, 507);
    assert.equal(diskFull(new GitError(['merge-tree'], 128, 'fatal: bad object\n')), undefined);
  });
});
