import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { KyselyPlugin } from 'kysely';
import { now } from '../../src/clock.ts';
import { inTransaction } from '../../src/context.ts';
import { when } from '../../src/feature.ts';
import { eventually } from '../support/eventually.ts';
import { recordedLog } from '../support/recorded-log.ts';
import { testServer } from '../support/server.ts';
import { eventLogs, REPOSITORY } from './logs.ts';

const t = await testServer();
const { context } = t;
const { logFor, logWith, emit, emitIn, waiting, holder } = eventLogs(t);
const makeDue = () => context.db.updateTable('event_deliveries').set({ due_at: now() }).where('subscriber', '=', 'test').execute();

describe('events', () => {
  it('are not written for a subscriber whom they do not concern', async () => {
    const handed: number[] = [];
    const note = when<'star.added'>(
      ({ actorId }) => actorId === 2,
      async ({ payload }) => void handed.push(payload.actorId),
    );
    const log = logFor({ test: note });
    await emit(log, 1, 2, 3);
    assert.equal((await waiting()).length, 1);
    log.start(t.context);
    await log.settled();
    assert.deepEqual(handed, [2]);
  });

  it('are handed on after the transaction that wrote them, and not when it fails', async () => {
    const seen: number[] = [];
    const log = logWith(async ({ payload }) => void seen.push(payload.actorId));
    log.start(context);
    await log.settled();
    await inTransaction(context, async (inside) => {
      await log.emit(inside, 'star.added', { repositoryId: 1_000_001, actorId: 1 });
      await log.settled();
      assert.deepEqual(seen, []);
    });
    await assert.rejects(
      inTransaction(context, async (inside) => {
        await log.emit(inside, 'star.added', { repositoryId: 1_000_001, actorId: 2 });
        throw new Error('no');
      }),
    );
    await log.settled();
    assert.deepEqual(seen, [1]);
    assert.deepEqual(await waiting(), []);
  });

  it('can be waited for by who reads what they led to, but not for ever', async () => {
    const held = Promise.withResolvers<void>();
    let handled = false;
    const log = logWith(async () => {
      await held.promise;
      handled = true;
    });
    log.start(context);
    await log.caughtUp(context, 'test', 10_000);
    await emit(log, 9);
    const begun = Date.now();
    await log.caughtUp(context, 'test', 50);
    // A timer counts by another clock, and may be a little ahead of this one.
    assert.ok(Date.now() - begun >= 40 && !handled);
    const caughtUp = log.caughtUp(context, 'test', 10_000);
    held.resolve();
    await caughtUp;
    assert.equal(handled, true);
  });

  it('that a dead process left are handed on at the next start', async () => {
    const before = logWith(async () => {});
    await emit(before, 3);
    assert.equal((await waiting()).length, 1);
    const seen: number[] = [];
    const log = logWith(async ({ payload }) => void seen.push(payload.actorId));
    log.start(context);
    await log.settled();
    assert.deepEqual(seen, [3]);
  });

  it('come to each subscriber in the order in which they happened', async () => {
    const seen: number[] = [];
    const log = logWith(async ({ payload }) => {
      await sleep(payload.actorId % 3);
      seen.push(payload.actorId);
    });
    log.start(context);
    // More than one turn brings.
    const ids = Array.from({ length: 230 }, (_, index) => index);
    await emit(log, ...ids.slice(0, 200));
    for (const id of ids.slice(200)) await emit(log, id);
    await log.settled();
    assert.deepEqual(seen, ids);
  });

  it('that a slow subscriber keeps waiting come to the others', async () => {
    const held = Promise.withResolvers<void>();
    const slow: number[] = [];
    const quick: number[] = [];
    const log = logFor({
      test: async ({ payload }) => {
        await held.promise;
        slow.push(payload.actorId);
      },
      other: async ({ payload }) => void quick.push(payload.actorId),
    });
    log.start(context);
    await emit(log, 1, 2);
    await emit(log, 3);
    await eventually(() => quick.length === 3);
    assert.deepEqual(slow, []);
    held.resolve();
    await log.settled();
    assert.deepEqual(
      [slow, quick],
      [
        [1, 2, 3],
        [1, 2, 3],
      ],
    );
  });

  it('are searched about once for each change, for any number of subscribers', async () => {
    const seen: string[] = [];
    const names = ['test', ...Array.from({ length: 7 }, (_, index) => `test.${index}`)];
    const log = logFor(Object.fromEntries(names.map((name) => [name, async () => void seen.push(name)])));
    let searches = 0;
    const counting: KyselyPlugin = {
      transformQuery: ({ node }) => {
        if (node.kind === 'SelectQueryNode' && node.with?.recursive) searches++;
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    const { database } = context;
    log.start({ ...context, database: { ...database, db: database.db.withPlugin(counting) } });
    await log.settled();
    searches = 0;
    for (let id = 0; id < 20; id++) {
      await emit(log, id);
      await log.settled();
    }
    assert.equal(seen.length, 20 * names.length);
    // Some come from timers.
    assert.ok(searches > 0 && searches <= 2 * 20, `${searches} searches`);
  });

  it('left when it stops are not begun', async () => {
    const held = Promise.withResolvers<void>();
    const seen: number[] = [];
    const log = logWith(async ({ payload }) => {
      seen.push(payload.actorId);
      await held.promise;
    });
    log.start(context);
    await emit(log, 1, 2);
    await eventually(() => seen.length > 0);
    const stopped = log.stop();
    held.resolve();
    await stopped;
    assert.deepEqual(seen, [1]);
    assert.equal((await waiting()).length, 1);
    assert.equal(await holder(), undefined);
  });
});

describe('events that a subscriber fails on', () => {
  it('stay, with the error, and come again later', async ({ mock }) => {
    // What is due later does not become so while this looks.
    mock.timers.enable({ apis: ['Date'], now: Date.now() });
    const seen: number[] = [];
    let isBroken = true;
    const log = logWith(async ({ payload }) => {
      if (isBroken && payload.actorId === 4) throw new Error('not today');
      seen.push(payload.actorId);
    });
    log.start(context);
    await emit(log, 4, 5);
    await emitIn(log, REPOSITORY + 1, 6);
    await log.settled();
    // What comes after it in its repository waits for it, what happens elsewhere does not.
    assert.deepEqual(seen, [6]);
    const [left, next] = await waiting();
    assert.deepEqual([left?.attempts, next?.attempts], [1, 0]);
    assert.match(left?.error ?? '', /not today/);
    assert.equal(left?.due_at, now() + 2);
    await makeDue();
    await emit(log, 7);
    await log.settled();
    const [again] = await waiting();
    assert.equal(again?.attempts, 2);
    assert.equal(again?.due_at, now() + 4);
    isBroken = false;
    await makeDue();
    await emit(log, 8);
    await log.settled();
    assert.deepEqual(seen, [6, 4, 5, 7, 8]);
  });

  it('let the others go first when they have failed for long, and are given up at last', async () => {
    const seen: number[] = [];
    const log = logWith(async ({ payload }) => {
      if (payload.actorId === 1) throw new Error('never');
      seen.push(payload.actorId);
    });
    await emit(log, 1, 2, 3);
    await context.db
      .updateTable('event_deliveries')
      .set({ attempts: 9 })
      .where('event_id', '=', (select) =>
        select
          .selectFrom('event_deliveries')
          .select((row) => row.fn.min('event_id').as('id'))
          .where('subscriber', '=', 'test'),
      )
      .execute();
    const recorded = recordedLog();
    log.start({ ...context, log: recorded.log });
    await eventually(() => seen.length === 2);
    assert.deepEqual(seen, [2, 3]);
    const givenUp = () => recorded.lines.filter(({ msg }) => msg === 'an event is given up, the subscriber never gets it');
    assert.deepEqual(givenUp(), []);
    const [left] = await waiting();
    assert.equal(left?.attempts, 10);
    assert.ok((left?.due_at ?? 0) > now() + 3000);
    await context.db.updateTable('event_deliveries').set({ attempts: 177, due_at: 1 }).where('subscriber', '=', 'test').execute();
    await emit(log, 4);
    await eventually(async () => (await waiting()).length === 0);
    await log.settled();
    const [{ level, type, subscriber, attempts, err } = {}] = givenUp();
    assert.deepEqual([level, type, subscriber, attempts], ['error', 'star.added', 'test', 178]);
    assert.match(JSON.stringify(err), /"never"/);
  });

  it('come again by themselves', async () => {
    let attempts = 0;
    const log = logWith(async () => {
      if (++attempts === 1) throw new Error('not yet');
    });
    log.start(context);
    await emit(log, 8);
    await eventually(() => attempts === 2);
    await log.settled();
    assert.deepEqual(await waiting(), []);
  });
});
