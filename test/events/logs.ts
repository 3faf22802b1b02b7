import { afterEach } from 'node:test';
import { inTransaction } from '../../src/context.ts';
import { EventLog, type StoredEvent } from '../../src/events/event-log.ts';
import type { TestServer } from '../support/server.ts';

type Handle = (event: StoredEvent<'user.created'>) => Promise<void>;

/**
 * Logs of a test's own on the tables of a server, whose own subscribers are left alone: two of them are as two processes. They end
 * with their test, and so does what waits for `test` and `other`.
 */
export function eventLogs({ context }: TestServer) {
  const { db } = context;
  const logs: EventLog[] = [];
  afterEach(async () => {
    for (const log of logs.splice(0)) await log.stop();
    await db.deleteFrom('event_deliveries').where('subscriber', 'in', ['test', 'other']).execute();
    await db.deleteFrom('event_leases').where('subscriber', 'in', ['test', 'other']).execute();
  });
  const logFor = (subscribers: Record<string, Handle>) => {
    const log = new EventLog();
    for (const [name, handle] of Object.entries(subscribers)) log.on('user.created', name, handle);
    logs.push(log);
    return log;
  };
  return {
    /** A log with subscribers by their names. */
    logFor,
    /** A log with the subscriber `test`. */
    logWith: (test: Handle) => logFor({ test }),
    /** Tells of users in one transaction. */
    emit: (log: EventLog, ...userIds: number[]) =>
      inTransaction(context, async (inside) => {
        for (const userId of userIds) await log.emit(inside, 'user.created', { userId, notify: false });
      }),
    /** What waits for `test`. */
    waiting: () => db.selectFrom('event_deliveries').select(['attempts', 'due_at', 'error']).where('subscriber', '=', 'test').execute(),
    /** Until when somebody has the lease of `test`. */
    leasedUntil: async () => {
      const row = await db.selectFrom('event_leases').select('leased_until').where('subscriber', '=', 'test').executeTakeFirst();
      return row?.leased_until;
    },
    /** Gives the lease of `test` to another process. */
    leaseUntil: async (leased_until: number) => {
      const values = { subscriber: 'test', leased_until };
      await db
        .insertInto('event_leases')
        .values(values)
        .onConflict((conflict) => conflict.column('subscriber').doUpdateSet(values))
        .execute();
    },
  };
}
