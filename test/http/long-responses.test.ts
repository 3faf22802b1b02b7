import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { testServer } from '../support/server.ts';

const MIB = 2 ** 20;
const COUNT = 20;
const t = await testServer({ limits: { responseMemory: 2 * MIB, responseMemoryPerCaller: MIB } });
const alice = await t.user('alice');
const bob = await t.user('bob');
await alice.must('POST', '/user/repos', { name: 'demo' });
const bodies = Array.from({ length: COUNT }, (_, n) => `${n} ${'é'.repeat(600_000)}`);
for (const body of bodies) await alice.must('POST', '/repos/alice/demo/issues', { title: 'long', body });
const LIST = '/repos/alice/demo/issues?limit=50';

describe('a long response', () => {
  it('is complete', async () => {
    const issues = await alice.must('GET', LIST);
    assert.deepEqual(
      issues.map(({ body }: { body: string }) => body.length),
      bodies.toReversed().map((body) => body.length),
    );
    assert.deepEqual(issues[0].body, bodies.at(-1));
  });

  it('is read in pieces, so that others are served meanwhile', async () => {
    let turns = 0;
    const tick = setInterval(() => turns++, 1);
    const read = t.context.db.selectFrom('issues').select('body').orderBy('id').execute();
    const rows = await read.finally(() => clearInterval(tick));
    assert.deepEqual(
      rows.map(({ body }) => body),
      bodies,
    );
    assert.ok(turns > COUNT / 6, `${turns} turns of the event loop`);
  });

  it('is not made while the caller does not read an earlier one', async () => {
    const { hostname, port } = new URL(t.url);
    const socket = connect(Number(port), hostname).on('error', () => {});
    const authorization = `Authorization: Basic ${Buffer.from(`${alice.name}:${alice.password}`).toString('base64')}`;
    socket.pause().write(`GET /api/v1${LIST} HTTP/1.1\r\nHost: x\r\n${authorization}\r\n\r\n`);
    const { responses } = t.context.semaphores;
    await eventually(() => responses.taken === MIB, 'the response that is not read');
    const refused = await alice.get(LIST);
    assert.equal(refused.status, 503);
    assert.equal(refused.headers.get('retry-after'), '10');
    assert.equal((await alice.get('/repos/alice/demo/issues/1')).status, 200);
    assert.equal((await bob.get(LIST)).status, 200);
    socket.destroy();
    await eventually(() => responses.taken === 0, 'the end of the response');
    assert.equal((await alice.get(LIST)).status, 200);
  });
});
