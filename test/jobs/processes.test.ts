import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import type { Context } from '../../src/context.ts';
import { JobQueue } from '../../src/jobs/job-queue.ts';
import type { JobWork, WorkOptions } from '../../src/jobs/job-work.ts';
import { jobTaker, MAX_ATTEMPTS } from '../../src/jobs/rows.ts';
import { ProcessRegistry } from '../../src/processes/registry.ts';
import { eventually } from '../support/eventually.ts';
import { anotherProcess, kill } from '../support/processes.ts';
import { recordedLog } from '../support/recorded-log.ts';
import { testServer } from '../support/server.ts';

const TYPE = 'attachments.remove';

const t = await testServer();
// The server's own queue is stopped, so that these tests have the table to themselves.
await t.settled();
await t.server.services.jobs.stop();
const { db } = t.context;

const queues: JobQueue[] = [];
const queueWith = (work: JobWork<typeof TYPE>, options: WorkOptions = {}, queue = new JobQueue()) => {
  queue.work(TYPE, work, options);
  queues.push(queue);
  return queue;
};
const add = (queue: JobQueue, options = {}) => queue.add(t.context, TYPE, { uuids: [] }, options);
const rows = () => db.selectFrom('jobs').selectAll().orderBy('id').execute();
const take = (context: Context) => jobTaker(context.database, 'default', [TYPE])(context, []);

afterEach(async () => {
  for (const queue of queues.splice(0)) await queue.stop();
  await db.deleteFrom('jobs').execute();
});

describe('a job that fails', () => {
  it('is logged when it is given up, with what went wrong last', async () => {
    const queue = queueWith(async () => {
      throw new Error('no space');
    });
    const id = await add(queue);
    await db
      .updateTable('jobs')
      .set({ attempts: MAX_ATTEMPTS - 1 })
      .execute();
    const { log, lines } = recordedLog();
    queue.start({ ...t.context, log });
    await queue.settled();
    assert.deepEqual(await rows(), []);
    const [{ level, job, type, attempts, err } = {}] = lines.filter(({ msg }) => msg === 'a job is given up');
    assert.deepEqual([level, job, type, attempts], ['error', id, TYPE, MAX_ATTEMPTS]);
    assert.match(JSON.stringify(err), /"no space"/);
  });
});

describe('a job of a dead process', () => {
  it('is begun again by another one', async () => {
    const queue = queueWith(async () => {});
    await add(queue);
    const dead = await anotherProcess(t.context);
    assert.equal((await take(dead))?.attempts, 1);
    assert.equal(await take(t.context), undefined);
    await kill(dead);
    const taken = await take(t.context);
    assert.equal(taken?.attempts, 2);
  });

  it('is noticed without a word from it', async () => {
    let done = 0;
    const queue = queueWith(async () => void done++);
    await add(queue);
    const { id } = await db
      .insertInto('processes')
      .values({ role: 'command', host: 'elsewhere', pid: 1, version: '', started_at: 1, heartbeat_at: 1 })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db.updateTable('jobs').set({ process_id: id }).execute();
    const { database, log } = t.server.services;
    const processes = await ProcessRegistry.open(database, { role: 'server', version: '', log, heartbeat: 50 });
    queue.start({ ...t.context, processes });
    await eventually(() => done === 1);
    await queue.stop();
    await processes.close();
    // On SQLite the second server has ended the first.
    await eventually(() => t.context.processes.isAlive(t.context.processes.id));
  });

  it('is given up when it has ended as many as it may fail', async () => {
    let done = 0;
    const queue = queueWith(async () => void done++);
    await add(queue);
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const dead = await anotherProcess(t.context);
      await db.updateTable('jobs').set({ due_at: 1 }).execute();
      assert.equal((await take(dead))?.attempts, attempt);
      await kill(dead);
    }
    const [left] = await rows();
    assert.ok((left?.due_at ?? 0) > Date.now() / 1000, 'it does not end one process after another without a pause');
    await db.updateTable('jobs').set({ due_at: 1 }).execute();
    queue.start(t.context);
    await queue.settled();
    assert.equal(done, 0);
    assert.deepEqual(await rows(), []);
  });

  it('stays with its new process, if the old one was only slow', async () => {
    const held = Promise.withResolvers<void>();
    let reason: unknown;
    const slow = await anotherProcess(t.context);
    const queue = queueWith(async (_, __, { signal }) => {
      signal.addEventListener('abort', () => held.reject(signal.reason));
      await held.promise.catch((error: unknown) => {
        reason = error;
        throw error;
      });
    });
    const id = await add(queue);
    queue.start(slow);
    await eventually(async () => (await rows())[0]?.process_id === slow.processes.id);
    await db.updateTable('jobs').set({ process_id: t.context.processes.id }).execute();
    await eventually(() => reason !== undefined);
    await queue.stop();
    assert.deepEqual(
      (await rows()).map((row) => [row.id, row.process_id]),
      [[id, t.context.processes.id]],
    );
  });
});

describe('a job', () => {
  it('wakes other processes', async () => {
    let done = 0;
    const other = queueWith(async () => void done++);
    other.start(await anotherProcess(t.context));
    await other.settled();
    const begun = performance.now();
    await add(queueWith(async () => {}));
    await eventually(() => done === 1);
    // A busy machine may take longer than the milliseconds that it takes otherwise; without a wake-up it is looked for every 2 s.
    if (t.context.database.dialect === 'postgres') assert.ok(performance.now() - begun < 1500);
  });

  it('of a key that is being done is waited for by the next one', async () => {
    const held = Promise.withResolvers<void>();
    let active = 0;
    let most = 0;
    let done = 0;
    const queue = queueWith(async () => {
      most = Math.max(most, ++active);
      await held.promise;
      active--;
      done++;
    });
    queue.start(t.context);
    const first = await add(queue, { key: 'one' });
    await eventually(() => active === 1);
    const second = await add(queue, { key: 'one' });
    assert.notEqual(first, second);
    assert.equal(await add(queue, { key: 'one' }), second);
    assert.equal(await take(t.context), undefined);
    held.resolve();
    await queue.settled();
    assert.deepEqual([most, done], [1, 2]);
  });

  it('can be cancelled while it waits, and while it is done', async () => {
    const queue = queueWith(
      (_, __, { signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    );
    const waiting = await add(queue);
    assert.equal((await queue.find(t.context, waiting))?.isRunning, false);
    assert.equal(await queue.cancel(t.context, waiting), true);
    assert.equal(await queue.cancel(t.context, waiting), false);
    const other = await anotherProcess(t.context);
    queue.start(other);
    const running = await add(queue);
    await eventually(async () => (await queue.find(t.context, running))?.isRunning === true);
    assert.equal(await queue.cancel(t.context, running), true);
    await eventually(async () => (await rows()).length === 0);
  });

  it('shows its progress', async () => {
    const held = Promise.withResolvers<void>();
    const queue = queueWith(async (_, __, { progress, attempt }) => {
      for (let done = 1; done <= 1000; done++) progress({ done, total: 1000, text: `attempt ${attempt}` });
      await held.promise;
    });
    queue.start(t.context);
    const id = await add(queue);
    await eventually(async () => (await queue.find(t.context, id))?.progress?.done === 1000);
    assert.deepEqual((await queue.find(t.context, id))?.progress, { done: 1000, total: 1000, text: 'attempt 1' });
    held.resolve();
    await queue.settled();
    assert.equal(await queue.find(t.context, id), undefined);
  });

  it('that takes too long is aborted and has failed', async () => {
    const queue = queueWith(
      (_, __, { signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('torn')))),
      { deadline: 0.05 },
    );
    queue.start(t.context);
    await add(queue);
    await eventually(async () => (await rows())[0]?.error !== '');
    const [left] = await rows();
    assert.match(left?.error ?? '', /DeadlineError: no end within 0.05 s/);
    assert.equal(left?.process_id, null);
  });

  it('in one queue does not wait for those in another', async () => {
    const held = Promise.withResolvers<void>();
    let mails = 0;
    const queue = queueWith(() => held.promise, { queue: 'maintenance' });
    queue.work('mail.send', async () => void mails++, { queue: 'mail' });
    queue.start(t.context);
    for (let count = 0; count < 5; count++) await add(queue);
    await queue.add(t.context, 'mail.send', { sealed: '' });
    await eventually(() => mails === 1);
    held.resolve();
    await queue.settled();
  });
});

describe('a process that stops', () => {
  it('aborts what does not end by itself, and gives it back as if it had not been begun', async () => {
    let begun = false;
    // One that does not heed the signal.
    const stuck = () => {
      begun = true;
      return new Promise<void>(() => {});
    };
    const queue = queueWith(stuck, {}, new JobQueue({ stopGraceMs: 10, abandonMs: 10 }));
    const id = await add(queue, { key: 'stuck' });
    queue.start(t.context);
    await eventually(() => begun);
    await queue.stop();
    const [left] = await rows();
    assert.deepEqual([left?.id, left?.process_id, left?.attempts], [id, null, 0]);
  });
});
