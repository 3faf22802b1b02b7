import { sql } from 'kysely';
import { now } from '../clock.ts';
import { type Db, isDeadlock } from '../database/database.ts';

/** An event that waits for a subscriber. */
export interface Delivery {
  readonly id: number;
  readonly type: string;
  readonly payload: unknown;
  readonly created_at: number;
  readonly subscriber: string;
  /** How often it has failed. */
  readonly attempts: number;
}

/** How often a subscriber that fails is tried again before the event is given up for it. */
const MAX_ATTEMPTS = 10;
/** How long handed-on events are kept, in seconds. */
const KEEP_SECONDS = 24 * 3600;

/** For which of these subscribers something is due, while nobody has their lease. */
export async function waitingSubscribers(db: Db, subscribers: readonly string[]): Promise<string[]> {
  if (subscribers.length === 0) return [];
  const time = now();
  const rows = await db
    .selectFrom('event_leases')
    .select('subscriber')
    .where('subscriber', 'in', subscribers)
    .where('leased_until', '<=', time)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('event_deliveries')
          .select(sql`1`.as('one'))
          .whereRef('event_deliveries.subscriber', '=', 'event_leases.subscriber')
          .where('due_at', '<=', time),
      ),
    )
    .execute();
  return rows.map(({ subscriber }) => subscriber);
}

/** What is due for these subscribers, in the order in which it happened. */
export async function dueDeliveries(db: Db, subscribers: readonly string[], limit: number): Promise<Delivery[]> {
  if (subscribers.length === 0) return [];
  return db
    .selectFrom('event_deliveries')
    .innerJoin('events', 'events.id', 'event_deliveries.event_id')
    .select(['events.id', 'events.type', 'events.payload', 'events.created_at', 'subscriber', 'attempts'])
    .where('subscriber', 'in', subscribers)
    .where('due_at', '<=', now())
    .orderBy('event_id')
    .limit(limit)
    .execute();
}

/** When the next one becomes due that is not yet, in seconds. */
export async function nextDue(db: Db): Promise<number | null> {
  const { next } = await db
    .selectFrom('event_deliveries')
    .select((select) => select.fn.min('due_at').as('next'))
    .where('due_at', '>', now())
    .executeTakeFirstOrThrow();
  return next;
}

/** It has been handed on. */
export async function finish(db: Db, { id, subscriber }: Delivery): Promise<void> {
  await db.deleteFrom('event_deliveries').where('event_id', '=', id).where('subscriber', '=', subscriber).execute();
}

/** It has failed: it comes again later, at once if the database undid it for another's sake, or was given up when it has failed too often. */
export async function postpone(db: Db, delivery: Delivery, error: unknown): Promise<void> {
  const attempts = delivery.attempts + 1;
  if (attempts >= MAX_ATTEMPTS) return finish(db, delivery);
  await db
    .updateTable('event_deliveries')
    .set({ attempts, due_at: now() + (isDeadlock(error) ? 0 : 2 ** attempts), error: String(error).slice(0, 2000) })
    .where('event_id', '=', delivery.id)
    .where('subscriber', '=', delivery.subscriber)
    .execute();
}

/** Deletes old events that wait for none of these subscribers any more. Others may be those of a newer version in another process. */
export async function forgetOld(db: Db, subscribers: readonly string[]): Promise<void> {
  await db
    .deleteFrom('events')
    .where('created_at', '<', now() - KEEP_SECONDS)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('event_deliveries')
            .select(sql`1`.as('one'))
            .whereRef('event_id', '=', 'events.id')
            .where('subscriber', 'in', subscribers),
        ),
      ),
    )
    .execute();
}
