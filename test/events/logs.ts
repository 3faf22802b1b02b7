import { afterEach } from 'node:test';
import { inTransaction } from '../../src/context.ts';
import { EventLog } from '../../src/events/event-log.ts';
import type { Handler } from '../../src/feature.ts';
import type { TestServer } from '../support/server.ts';

type Handle = Handler<'star.added'>;

/** The repository of the events, unless another is given. */
export const REPOSITORY = 1_000_001;

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
    await db.deleteFrom('event_leases').where('partition', '>=', REPOSITORY).execute();
  });
  const logFor = (subscribers: Record<string, Handle>) => {
    const log = new EventLog();
    for (const [name, handle] of Object.entries(subscribers)) log.on('star.added', name, handle);
    logs.push(log);
    return log;
  };
  return {
    /** A log with subscribers by their names. */
    logFor,
    /** A log with the subscriber `test`. */
    logWith: (test: Handle) => logFor({ test }),
    /** Tells of something that these users did in the repository, in one transaction. */
    emit: (log: EventLog, ...userIds: number[]) =>
      inTransaction(context, async (inside) => {
        for (const actorId of userIds) await log.emit(inside, 'star.added', { repositoryId: REPOSITORY, actorId });
      }),
    /** The same in another repository. */
    emitIn: (log: EventLog, repositoryId: number, actorId: number) => log.emit(context, 'star.added', { repositoryId, actorId }),
    /** What waits for `test`. */
    waiting: () =>
      db
        .selectFrom('event_deliveries')
        .select(['attempts', 'due_at', 'error'])
        .where('subscriber', '=', 'test')
        .orderBy('event_id')
        .execute(),
    /** The process that has the lease of the repository's events. */
    holder: async () => {
      const row = await db.selectFrom('event_leases').select('process_id').where('partition', '=', REPOSITORY).executeTakeFirst();
      return row?.process_id;
    },
    /** Gives the lease to another process. */
    giveTo: async (process_id: number) => {
      // In one statement: the process that loses it may take it again at any moment.
      await db
        .insertInto('event_leases')
        .values({ partition: REPOSITORY, process_id })
        .onConflict((conflict) => conflict.column('partition').doUpdateSet({ process_id }))
        .execute();
    },
  };
}
