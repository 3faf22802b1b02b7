// On SQLite alone: what the process holds is measured, and the database is not part of it.
// In a process of its own: what others hold would be counted, too.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { testServer } from '../support/server.ts';

const CLIENTS = 100;
/** Bytes that each request may leave; before it is measured, caches have what they keep of the same requests. */
const MOST_EACH = 2500;

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

const t = await testServer();
const alice = await t.user('alice');
await alice.must('POST', '/user/repos', { name: 'demo', auto_init: true });

/** Each client asks for something that nobody has asked for before, as strangers and robots do. */
async function load(round: number): Promise<void> {
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      const word = `${round}x${client}`;
      const expected: [path: Promise<{ status: number }>, status: number][] = [
        [alice.get(`/repos/alice/demo/contents/README.md?n=${word}`), 200],
        [alice.get(`/repos/alice/demo/issues?labels=${word}`), 200],
        [t.anonymous.get(`/repos/nobody/${word}`), 404],
        [t.anonymous.get('/user', { headers: { authorization: `token ${word.padEnd(40, '0')}` } }), 401],
        [t.anonymous.get('/version', { headers: { 'user-agent': word } }), 200],
      ];
      for (const [response, status] of expected) assert.equal((await response).status, status);
    }),
  );
}

async function held(): Promise<number> {
  // Buffers are given back a turn after the objects that have them.
  for (let turn = 0; turn < 3; turn++) {
    collect();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

describe('memory after load', () => {
  it('is what it was before, but for some bytes of each request', async () => {
    await load(0);
    const before = await held();
    await load(1);
    await load(2);
    const grown = ((await held()) - before) / (2 * CLIENTS * 5);
    assert.ok(grown < MOST_EACH, `${Math.round(grown)} bytes of each request are held`);
  });
});
