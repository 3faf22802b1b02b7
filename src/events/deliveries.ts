import { type ExpressionBuilder, sql } from 'kysely';
import { now } from '../clock.ts';
import { type Db, isDeadlock } from '../database/database.ts';
import { prepared, preparedIn } from '../database/prepared.ts';
import type { EventDeliveriesTable } from '../database/tables/platform.ts';
import type { Tables } from '../database/tables.ts';

/** An event that waits for a subscriber. */
export interface Delivery {
  readonly id: number;
  readonly type: string;
  /** The same object for all subscribers: none may change it. */
  readonly payload: unknown;
  readonly created_at: number;
  readonly subscriber: string;
  readonly partition: number;
  /** How often it has failed. */
  readonly attempts: number;
}

/** Attempts until later events may overtake one that a subscriber fails on. */
const MAX_ATTEMPTS_IN_ORDER = 10;
/** Attempts in total: every hour for a week. */
const MAX_ATTEMPTS = MAX_ATTEMPTS_IN_ORDER + 7 * 24;
/** Seconds between attempts of an event that others have overtaken. */
const PASSED_DELAY = 3600;
/** How long delivered events are stored, in seconds. */
const KEEP_SECONDS = 24 * 3600;

/** The condition that a row of `event_deliveries as delivery` is ready: it is due, and no earlier event waits for a retry. */
export function isReady(time: number) {
  return ({ and, not, exists, selectFrom, eb }: ExpressionBuilder<Tables & { delivery: EventDeliveriesTable }, 'delivery'>) =>
    and([
      eb('delivery.due_at', '<=', time),
      not(
        exists(
          selectFrom('event_deliveries as failed')
            .select(sql`1`.as('one'))
            .whereRef('failed.partition', '=', 'delivery.partition')
            .whereRef('failed.subscriber', '=', 'delivery.subscriber')
            // Without the sum, or with a bound 0, SQLite's plan reads all earlier events of the lane for each one.
            .where(sql`failed.event_id + 0`, '<', sql.ref('delivery.event_id'))
            .where('failed.attempts', '>', sql.lit(0))
            .where('failed.attempts', '<', MAX_ATTEMPTS_IN_ORDER)
            .where('failed.due_at', '>', time),
        ),
      ),
    ]);
}

/** The events of one partition for one subscriber: they are delivered one at a time, in order. */
export interface Lane {
  readonly partition: number;
  readonly subscriber: string;
}

/** The deliveries that are due in these partitions for these subscribers, in the order of the events, without busy lanes. */
export async function readyDeliveries(
  db: Db,
  partitions: readonly number[],
  subscribers: readonly string[],
  busy: readonly Lane[],
  limit: number,
): Promise<Delivery[]> {
  if (partitions.length === 0) return [];
  const [wanted, without] = [padded(partitions), padded(busy)];
  const select = selectReady(wanted.length, subscribers.length, without.length, limit);
  const ready = (await select(
    db,
    now(),
    ...wanted,
    ...subscribers,
    ...without.flatMap(({ partition, subscriber }) => [partition, subscriber]),
  )) as Omit<Delivery, 'payload'>[];
  if (ready.length === 0) return [];
  // An event of many subscribers is read and parsed once: that of a push with very many refs has megabytes.
  const ids = ready.map(({ id }) => id);
  const payloads = new Map((await payloadsOf(db, ids)).map(({ id, payload }) => [id, payload]));
  return ready.flatMap((delivery) => (payloads.has(delivery.id) ? [{ ...delivery, payload: payloads.get(delivery.id) }] : []));
}

const payloadsOf = preparedIn((db, ids) => db.selectFrom('events').select(['id', 'payload']).where('id', 'in', ids));

/** Repeats the last item up to a power of two, so that few statements are compiled. */
function padded<T>(list: readonly T[]): readonly T[] {
  const last = list.at(-1);
  if (last === undefined) return list;
  return [...list, ...new Array<T>(2 ** Math.ceil(Math.log2(list.length)) - list.length).fill(last)];
}

const readySelects = new Map<string, ReturnType<typeof prepareReady>>();

function selectReady(...sizes: Parameters<typeof prepareReady>): ReturnType<typeof prepareReady> {
  const key = sizes.join(' ');
  const known = readySelects.get(key) ?? prepareReady(...sizes);
  readySelects.set(key, known);
  return known;
}

/** The statement for these numbers of partitions, subscribers and busy lanes. Its values: the time, then these. */
function prepareReady(partitions: number, subscribers: number, busy: number, limit: number) {
  return prepared((db, time: unknown, ...values: unknown[]) => {
    const lanes = values.slice(partitions + subscribers);
    return db
      .selectFrom('event_deliveries as delivery')
      .innerJoin('events', 'events.id', 'delivery.event_id')
      .select(['events.id', 'events.type', 'events.created_at', 'subscriber', 'partition', 'attempts'])
      .where('partition', 'in', values.slice(0, partitions) as number[])
      .where('subscriber', 'in', values.slice(partitions, partitions + subscribers) as string[])
      .where(isReady(time as number))
      .where(({ and, or, eb }) =>
        and(
          Array.from({ length: busy }, (_, at) =>
            or([eb('partition', '!=', lanes[2 * at] as number), eb('subscriber', '!=', lanes[2 * at + 1] as string)]),
          ),
        ),
      )
      .orderBy('event_id')
      .limit(limit);
  });
}

/** When the next delivery becomes due, in seconds. */
export async function nextDue(db: Db): Promise<number | null> {
  const { next } = await db
    .selectFrom('event_deliveries')
    .select((select) => select.fn.min('due_at').as('next'))
    .where('due_at', '>', now())
    .executeTakeFirstOrThrow();
  return next;
}

const deleteOf = preparedIn((db, eventIds, subscriber: string) =>
  db.deleteFrom('event_deliveries').where('event_id', 'in', eventIds).where('subscriber', '=', subscriber),
);

/** Deletes completed deliveries. */
export async function finish(db: Db, deliveries: readonly Pick<Delivery, 'id' | 'subscriber'>[]): Promise<void> {
  const bySubscriber = [...Map.groupBy(deliveries, ({ subscriber }) => subscriber)];
  const remove = async (db: Db) => {
    for (const [subscriber, own] of bySubscriber) {
      await deleteOf(
        db,
        own.map(({ id }) => id),
        subscriber,
      );
    }
  };
  await (bySubscriber.length === 1 ? remove(db) : db.transaction().execute(remove));
}

/**
 * Schedules a failed delivery again, at once if the database rolled it back because of another transaction.
 * @returns false when it has been given up instead
 */
export async function postpone(db: Db, delivery: Delivery, error: unknown): Promise<boolean> {
  const attempts = delivery.attempts + 1;
  if (attempts >= MAX_ATTEMPTS) {
    await finish(db, [delivery]);
    return false;
  }
  const delay = attempts < MAX_ATTEMPTS_IN_ORDER ? 2 ** attempts : PASSED_DELAY;
  await db
    .updateTable('event_deliveries')
    .set({ attempts, due_at: now() + (isDeadlock(error) ? 0 : delay), error: String(error).slice(0, 2000) })
    .where('event_id', '=', delivery.id)
    .where('subscriber', '=', delivery.subscriber)
    .execute();
  return true;
}

/** Deletes old events that no longer wait for any of these subscribers. Others may be those of a newer version in another process. */
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
