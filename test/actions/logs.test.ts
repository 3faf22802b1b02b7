import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { maskedTexts, maskLines } from '../../src/actions/tasks/logs/masks.ts';
import { openLog, readLines } from '../../src/actions/tasks/logs/read.ts';
import { logKey } from '../../src/actions/tasks/logs/store.ts';
import { now } from '../../src/clock.ts';
import { testServer } from '../support/server.ts';
import { SimulatedRunner, startRun, workflow } from './simulated-runner.ts';

const t = await testServer();
const alice = await t.user('alice');
const bob = await t.user('bob');
const TIME = '2024-01-02T03:04:05.1234567Z';
let last = 0;

/** A task that goes on, in a private repository of its own. */
async function task() {
  const name = `demo-${++last}`;
  const path = `/repos/alice/${name}`;
  const { id } = await alice.must('POST', '/user/repos', { name, private: true });
  const runner = await SimulatedRunner.at(t, alice, path);
  await alice.must('PUT', `${path}/actions/secrets/PASSWORD`, { data: 'correct horse\nbattery staple' });
  const run = await startRun(t, id, workflow(['one']));
  const { id: taskId } = await runner.fetch();
  const { id: jobId } = await t.context.db.selectFrom('action_jobs').select('id').where('run_id', '=', run.id).executeTakeFirstOrThrow();
  return { runner, taskId: taskId as string, logs: `${path}/actions/jobs/${jobId}/logs` };
}

const rowOf = (taskId: string) =>
  t.context.db.selectFrom('action_tasks').selectAll().where('id', '=', Number(taskId)).executeTakeFirstOrThrow();

describe('the log of a task', () => {
  it('gets each line once, in order, however often it is sent, and without a gap', async () => {
    const { runner, taskId, logs } = await task();
    assert.equal((await alice.get(logs)).status, 404);
    assert.equal(await runner.log(taskId, 0, ['one', 'two']), 2);
    assert.equal(await runner.log(taskId, 1, ['two', 'three\nlines']), 3);
    assert.equal(await runner.log(taskId, 9, ['too far']), 3);
    assert.equal(await runner.log(taskId, 9, [], true), 3, 'with a gap it is not closed');
    const lines = [`${TIME} one\n`, `${TIME} two\n`, `${TIME} three\\nlines\n`];
    const { text, headers } = await alice.get(logs);
    assert.equal(text, lines.join(''));
    assert.match(headers.get('content-disposition') ?? '', /^attachment; filename="?ci-one-\d+\.log"?$/);
    assert.equal(await runner.log(taskId, 3, ['four: ü'], true), 4);
    assert.equal((await alice.get(logs)).text, [...lines, `${TIME} four: ü\n`].join(''));
    assert.equal(await runner.log(taskId, 3, ['four: ü'], true), 4, 'the end may be sent again');
    assert.equal((await runner.call('UpdateLog', { taskId, index: '4', rows: [{ content: 'five' }] })).status, 409);
    const left = await t.context.db.selectFrom('action_log_blocks').select('lines').where('task_id', '=', Number(taskId)).execute();
    assert.deepEqual(left, []);
  });

  it('takes lines that are sent twice at the same time once', async () => {
    const { runner, taskId, logs } = await task();
    await Promise.all([1, 2, 3, 4].map(() => runner.log(taskId, 0, ['one', 'two'])));
    assert.equal(await runner.log(taskId, 2, ['three'], true), 3);
    assert.equal((await alice.get(logs)).text, ['one', 'two', 'three'].map((line) => `${TIME} ${line}\n`).join(''));
  });

  it('is read to its end when it goes to the storage meanwhile', async () => {
    const { runner, taskId } = await task();
    const content = (number: number) => `line ${number} ${'x'.repeat(2000)}`;
    for (const at of [0, 1, 2]) await runner.log(taskId, at, [content(at)]);
    const openAt = async (parts: number) => {
      const log = (await openLog(t.context, await rowOf(taskId))) ?? assert.fail();
      const read: Buffer[] = [];
      const rest = log.stream[Symbol.asyncIterator]();
      for (let at = 0; at < parts; at++) read.push((await rest.next()).value);
      return { log, read, rest };
    };
    const opened = [await openAt(0), await openAt(1)];
    assert.equal(await runner.log(taskId, 3, [content(3)], true), 4);
    for (const { log, read, rest } of opened) {
      for (let next = await rest.next(); !next.done; next = await rest.next()) read.push(next.value);
      const text = Buffer.concat(read).toString('utf8');
      assert.equal(text, [0, 1, 2].map((number) => `${TIME} ${content(number)}\n`).join(''));
      assert.equal(text.length, log.size);
    }
  });

  it('can be read from a line on, while it is written and in the storage', async () => {
    const { runner, taskId } = await task();
    const content = (number: number) => `line ${number} ${'x'.repeat(2000)}`;
    for (let at = 0; at < 600; at += 200)
      await runner.log(
        taskId,
        at,
        Array.from({ length: 200 }, (_, number) => content(at + number)),
      );
    const numbers = async (first: number, count: number) =>
      (await readLines(t.context, await rowOf(taskId), first, count)).map((line) => Number(line.split(' ')[2]));
    const checked = async () => [await numbers(0, 2), await numbers(199, 3), await numbers(598, 9), await numbers(600, 1)];
    const expected = [[0, 1], [199, 200, 201], [598, 599], []];
    assert.deepEqual(await checked(), expected);
    await runner.log(taskId, 600, [], true);
    const { log_in_storage, log_indexes, log_size } = await rowOf(taskId);
    const index = JSON.parse(Buffer.from(log_indexes ?? []).toString('utf8'));
    assert.ok(log_in_storage && index.length > 2, 'it has several parts');
    assert.deepEqual(await checked(), expected);
    const stored = await t.context.storage.info(logKey(Number(taskId)));
    assert.ok(stored && stored.size * 5 < log_size, 'it is compressed');
  });

  it('without a line is empty in the end', async () => {
    const { runner, taskId, logs } = await task();
    assert.equal(await runner.log(taskId, 0, [], true), 0);
    assert.deepEqual([(await alice.get(logs)).status, (await alice.get(logs)).text], [200, '']);
  });

  it('has no secrets in it, whole, by line, or in base64', async () => {
    const { runner, taskId, logs } = await task();
    const secret = 'correct horse\nbattery staple';
    const encoded = ['', 'a', 'ab'].map((before) => Buffer.from(`${before}${secret} after`).toString('base64'));
    await runner.log(taskId, 0, ['it is correct horse', 'and battery staple!', secret, ...encoded, 'nothing'], true);
    const { text } = await alice.get(logs);
    assert.doesNotMatch(text, /correct|battery|Y29ycmVjdCBob3|b3JyZWN0IGhvcn|jb3JyZWN0IGhvcnNl/);
    assert.match(text, /it is \*\*\*\n.*and \*\*\*!\n.*\*\*\*\n/);
    assert.match(text, /nothing\n$/);
  });

  it('has lines of a bounded length, whatever is in them', async () => {
    const { runner, taskId, logs } = await task();
    const long = 'ü'.repeat(70_000);
    await runner.log(taskId, 0, [long, 'a\0b\r\t', ''], true);
    const [line = '', ...rest] = (await alice.get(logs)).text.split('\n');
    assert.equal(Buffer.byteLength(line), TIME.length + 1 + 65_536);
    assert.match(line, /^\S+ ü+$/);
    assert.deepEqual(rest, [`${TIME} a\0b\r\t`, `${TIME} `, '']);
    const many = { taskId, rows: Array.from({ length: 100_001 }, () => ({})) };
    assert.equal((await runner.call('UpdateLog', many)).status, 429);
  });

  it('is shown to those who may read the repository, until it is too old', async () => {
    const { runner, taskId, logs } = await task();
    await runner.log(taskId, 0, ['one'], true);
    await runner.finish(taskId);
    assert.deepEqual([(await bob.get(logs)).status, (await t.anonymous.get(logs)).status], [404, 404]);
    const missing = await alice.get(logs.replace(/\d+\/logs/, '999999999/logs'));
    assert.deepEqual(missing.json.errors, ['run job with id 999999999: resource does not exist']);
    await t.context.db
      .updateTable('action_tasks')
      .set({ stopped_at: now() - 366 * 86_400 })
      .where('id', '=', Number(taskId))
      .execute();
    await t.context.schedule.run(t.context, 'cleanup_actions');
    assert.deepEqual((await alice.get(logs)).json.errors, ['logs have been cleaned up']);
    assert.equal(await t.context.storage.info(logKey(Number(taskId))), undefined);
  });
});

describe('masks', () => {
  it('leave the number of lines as it is, and short texts alone', async () => {
    const texts = maskedTexts(['abc', 'one\r\ntwo\r\nthree', '0123456789', '12345']);
    assert.ok(texts.every((text) => text.length >= 4 && !text.includes('\n')));
    assert.deepEqual(await maskLines(['abc', 'thr', 'ee three', '0123456789', '12345'], texts), ['abc', 'thr', 'ee ***', '***', '***']);
  });
});
