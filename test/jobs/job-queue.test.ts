import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { inTransaction } from '../../src/context.ts';
import { JobQueue } from '../../src/jobs/job-queue.ts';
import { testServer } from '../support/server.ts';

const t = await testServer();
// The server's own queue is stopped, so that these tests have the table to themselves.
await t.settled();
await t.server.services.jobs.stop();

const queueWith = (work: (payload: { repositoryId: number }) => Promise<void>) => {
  const queue = new JobQueue();
  queue.work('repository.remove-folder', work);
  return queue;
};
const rows = () => t.context.db.selectFrom('jobs').select(['attempts', 'error', 'due_at']).execute();

describe('jobs', () => {
  it('wait for the commit, and are done once', async () => {
    const done: number[] = [];
    const queue = queueWith(async ({ repositoryId }) => void done.push(repositoryId));
    queue.start(t.context);
    await inTransaction(t.context, async (context) => {
      await queue.add(context, 'repository.remove-folder', { repositoryId: 1 });
      assert.deepEqual(done, []);
    });
    await queue.settled();
    await queue.stop();
    assert.deepEqual(done, [1]);
    assert.deepEqual(await rows(), []);
  });

  it('of one key that wait are one', async () => {
    const done: number[] = [];
    const queue = queueWith(async ({ repositoryId }) => void done.push(repositoryId));
    for (let i = 0; i < 3; i++) await queue.add(t.context, 'repository.remove-folder', { repositoryId: 2 }, { key: 'two' });
    assert.equal((await rows()).length, 1);
    queue.start(t.context);
    await queue.settled();
    await queue.stop();
    assert.deepEqual(done, [2]);
  });

  it('of one key that wait are not done without what the last one is for', async () => {
    const order: string[] = [];
    const queue = queueWith(async () => void order.push('done'));
    await queue.add(t.context, 'repository.remove-folder', { repositoryId: 5 }, { key: 'five' });
    await inTransaction(t.context, async (context) => {
      await queue.add(context, 'repository.remove-folder', { repositoryId: 5 }, { key: 'five' });
      queue.start(t.context);
      await sleep(100);
      order.push('changed');
    });
    await queue.settled();
    await queue.stop();
    assert.deepEqual(order, ['changed', 'done']);
    assert.deepEqual(await rows(), []);
  });

  it('that waited for others who waited for them are tried again at once', async () => {
    let tries = 0;
    const queue = queueWith(async () => {
      if (++tries < 3) throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
    });
    queue.start(t.context);
    await queue.add(t.context, 'repository.remove-folder', { repositoryId: 4 });
    await queue.settled();
    await queue.stop();
    assert.equal(tries, 3);
    assert.deepEqual(await rows(), []);
  });

  it('that fail because their repository was deleted meanwhile run again at once', async () => {
    let tries = 0;
    const queue = queueWith(async () => {
      if (++tries === 1) throw Object.assign(new Error('no such folder'), { code: 'ENOENT' });
    });
    queue.start(t.context);
    await queue.add(t.context, 'repository.remove-folder', { repositoryId: 7 });
    await queue.settled();
    await queue.stop();
    assert.equal(tries, 2);
    assert.deepEqual(await rows(), []);
  });

  it('that fail are tried again later', async () => {
    const queue = queueWith(async () => {
      throw new Error('disk full');
    });
    queue.start(t.context);
    await queue.add(t.context, 'repository.remove-folder', { repositoryId: 3 });
    await queue.settled();
    await queue.stop();
    const [left] = await rows();
    assert.equal(left?.attempts, 1);
    assert.match(left?.error ?? '', /disk full/);
    assert.ok((left?.due_at ?? 0) > Date.now() / 1000);
  });

  it('that fail are not tried again at once by who had seen them before', async () => {
    const failing = async () => {
      throw new Error('disk full');
    };
    await t.context.db.deleteFrom('jobs').execute();
    await queueWith(failing).add(t.context, 'repository.remove-folder', { repositoryId: 6 });
    const seen = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const slow = t.context.db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        seen.resolve();
        await held.promise;
        return result;
      },
    });
    const [late, early] = [queueWith(failing), queueWith(failing)];
    late.start({ ...t.context, database: { ...t.context.database, db: slow } });
    await seen.promise;
    early.start(t.context);
    await early.settled();
    held.resolve();
    await late.settled();
    for (const queue of [late, early]) await queue.stop();
    assert.deepEqual(
      (await rows()).map(({ attempts }) => attempts),
      [1],
    );
  });
});
