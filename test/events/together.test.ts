import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { now } from '../../src/clock.ts';
import type { Context } from '../../src/context.ts';
import { brief } from '../../src/events/together.ts';
import { testServer } from '../support/server.ts';
import { eventLogs } from './logs.ts';

const t = await testServer();
const { context } = t;
const { logFor, emit, waiting } = eventLogs(t);

describe('events of a brief handler', () => {
  it('that wait share a transaction, in which they are removed', async () => {
    const contexts: Context[] = [];
    const seen: number[] = [];
    const note = brief<'star.added'>(async ({ payload }, context) => {
      contexts.push(context);
      seen.push(payload.actorId);
      if (seen.length === 3) assert.equal((await waiting()).length, 3);
    });
    const log = logFor({ test: note });
    await emit(log, 1, 2, 3);
    log.start(context);
    await log.settled();
    assert.deepEqual(seen, [1, 2, 3]);
    assert.ok(contexts.every(({ afterCommit }) => afterCommit));
    assert.deepEqual(await waiting(), []);
  });

  it('are handed on one by one when one fails, and what it did is undone', async ({ mock }) => {
    // What is due later does not become so while this looks.
    mock.timers.enable({ apis: ['Date'], now: Date.now() });
    const { id } = await t.user('noted').then((client) => client.must('GET', '/user'));
    const written = async () =>
      (await context.db.selectFrom('users').select('description').where('id', '=', id).executeTakeFirstOrThrow()).description;
    let isBroken = true;
    const note = brief<'star.added'>(async ({ payload: { actorId } }, { db }) => {
      await db
        .updateTable('users')
        .set({ description: sql<string>`description || ${sql.lit(String(actorId))}` })
        .where('id', '=', id)
        .execute();
      if (isBroken && actorId === 2) throw new Error('not today');
    });
    const log = logFor({ test: note });
    await emit(log, 1, 2, 3);
    log.start(context);
    await log.settled();
    const [left, next] = await waiting();
    assert.deepEqual([left?.attempts, next?.attempts, left?.due_at], [1, 0, now() + 2]);
    isBroken = false;
    await context.db.updateTable('event_deliveries').set({ due_at: now() }).where('subscriber', '=', 'test').execute();
    await emit(log, 4);
    await log.settled();
    assert.deepEqual(await waiting(), []);
    // Of the attempt that failed by itself, outside of a transaction, something stays.
    assert.equal(await written(), '12234');
  });
});
