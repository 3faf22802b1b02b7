import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inTransaction } from '../../src/context.ts';
import { EventLog, type StoredEvent } from '../../src/events/event-log.ts';
import { testServer } from '../support/server.ts';

const t = await testServer();
// The server's own subscribers are left alone: each test has a log of its own on the same tables.
const logWith = (handle: (event: StoredEvent<'user.created'>) => Promise<void>) => {
  const log = new EventLog();
  log.on('user.created', 'test', handle);
  return log;
};
const waiting = () => t.context.db.selectFrom('event_deliveries').select(['attempts', 'error']).where('subscriber', '=', 'test').execute();

describe('events', () => {
  it('are handed on after the transaction that wrote them, and not when it fails', async () => {
    const seen: number[] = [];
    const log = logWith(async ({ payload }) => void seen.push(payload.userId));
    log.start(t.context);
    await inTransaction(t.context, async (context) => {
      await log.emit(context, 'user.created', { userId: 1, notify: false });
      await log.settled();
      assert.deepEqual(seen, []);
    });
    await assert.rejects(
      inTransaction(t.context, async (context) => {
        await log.emit(context, 'user.created', { userId: 2, notify: false });
        throw new Error('no');
      }),
    );
    await log.stop();
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
    log.start(t.context);
    await log.caughtUp(t.context, 'test', 10_000);
    await log.emit(t.context, 'user.created', { userId: 9, notify: false });
    const begun = Date.now();
    await log.caughtUp(t.context, 'test', 50);
    assert.ok(Date.now() - begun >= 50 && !handled);
    const caughtUp = log.caughtUp(t.context, 'test', 10_000);
    held.resolve();
    await caughtUp;
    assert.equal(handled, true);
    await log.stop();
  });

  it('that a dead process left are handed on at the next start', async () => {
    const before = logWith(async () => {});
    await before.emit(t.context, 'user.created', { userId: 3, notify: false });
    assert.equal((await waiting()).length, 1);
    const seen: number[] = [];
    const log = logWith(async ({ payload }) => void seen.push(payload.userId));
    log.start(t.context);
    await log.settled();
    await log.stop();
    assert.deepEqual(seen, [3]);
  });

  it('stay for a subscriber that fails, with its error', async () => {
    const log = logWith(async () => {
      throw new Error('not today');
    });
    log.start(t.context);
    await log.emit(t.context, 'user.created', { userId: 4, notify: false });
    await log.settled();
    await log.stop();
    const [left] = await waiting();
    assert.equal(left?.attempts, 1);
    assert.match(left?.error ?? '', /not today/);
  });
});
