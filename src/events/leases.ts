import { sql } from 'kysely';
import { now } from '../clock.ts';
import type { Services } from '../context.ts';
import { isReady } from './deliveries.ts';

/** Lower than every partition. */
const BEFORE_ALL = Number.MIN_SAFE_INTEGER;

/** Leases that were taken. */
export interface Taken {
  readonly partitions: readonly number[];
  /** Where to continue when there may be more: the last partition that was found. */
  readonly goOnAfter: number | undefined;
}

/**
 * Takes the leases of partitions that have due events for these subscribers and no process: up to `limit`, starting after the partition
 * `after`, so that all are served in turn.
 */
export async function takePartitions(
  services: Services,
  subscribers: readonly string[],
  limit: number,
  after = BEFORE_ALL,
): Promise<Taken> {
  const {
    database: { db },
    processes,
  } = services;
  const found = await freePartitions(services, subscribers, limit, after);
  const taken =
    found.length === 0
      ? []
      : await db
          .insertInto('event_leases')
          .values(found.map((partition) => ({ partition, process_id: processes.id })))
          .onConflict((conflict) => conflict.doNothing())
          .returning('partition')
          .execute();
  const partitions = taken.map(({ partition }) => partition);
  if (found.length === limit) return { partitions, goOnAfter: found.at(-1) };
  if (after === BEFORE_ALL) return { partitions, goOnAfter: undefined };
  const { partitions: others, goOnAfter } = await takePartitions(services, subscribers, limit - found.length);
  return { partitions: [...partitions, ...others], goOnAfter };
}

/** Moves from one partition to the next by the index, however many events wait in each. */
async function freePartitions(
  { database: { db } }: Services,
  subscribers: readonly string[],
  limit: number,
  after: number,
): Promise<number[]> {
  const time = now();
  const rows = await db
    .withRecursive('partitions', (query) =>
      query
        .selectFrom('event_deliveries')
        .select((select) => select.fn.min<number | null>('partition').as('partition'))
        .where('partition', '>', after)
        .unionAll(
          query
            .selectFrom('partitions')
            .select((select) =>
              select
                .selectFrom('event_deliveries as next')
                .select((row) => row.fn.min<number | null>('next.partition').as('partition'))
                .whereRef('next.partition', '>', 'partitions.partition')
                .as('partition'),
            )
            .where('partitions.partition', 'is not', null),
        ),
    )
    .selectFrom('partitions')
    .select('partition')
    .where('partition', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('event_leases').select(sql`1`.as('one')).whereRef('event_leases.partition', '=', 'partitions.partition'))),
    )
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('event_deliveries as delivery')
          .select(sql`1`.as('one'))
          .whereRef('delivery.partition', '=', 'partitions.partition')
          .where('delivery.subscriber', 'in', subscribers)
          .where(isReady(time)),
      ),
    )
    .limit(limit)
    .execute();
  return rows.flatMap(({ partition }) => partition ?? []);
}

/** Releases all leases of this process except these. */
export async function releaseOthers({ database: { db }, processes }: Services, partitions: readonly number[]): Promise<void> {
  await db
    .deleteFrom('event_leases')
    .where('process_id', '=', processes.id)
    .$if(partitions.length > 0, (query) => query.where('partition', 'not in', partitions))
    .execute();
}

/** Releases leases. */
export async function releasePartitions({ database: { db }, processes }: Services, partitions: readonly number[]): Promise<void> {
  if (partitions.length === 0) return;
  await db.deleteFrom('event_leases').where('partition', 'in', partitions).where('process_id', '=', processes.id).execute();
}
