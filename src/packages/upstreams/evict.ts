import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import { stateOf } from './state.ts';

/** Rows that are evicted in one statement. */
const BATCH = 100;
/** The part of the cache that may be added before its size is measured again. */
const PRECISION = 100;

/**
 * Records an addition to the cache, and evicts the least recently used entries if it is too large now. Their bytes are deleted by the
 * next `cleanup_packages` when they are old enough.
 */
export async function makeRoom(context: Context, size: number): Promise<void> {
  const state = stateOf(context);
  const limit = context.settings.packages.upstreamCacheSize;
  state.stored += size;
  if (state.stored < limit / PRECISION) return;
  state.stored = 0;
  await evictTo(context.database.db, limit);
}

/** Part of the task `cleanup_packages`: evicts entries that nobody has used for `packages.upstreamMaxAge`, and those beyond the cache's size. */
export async function evictUnused({ database: { db }, settings: { packages } }: Context, signal: AbortSignal): Promise<void> {
  const before = now() - Math.ceil(packages.upstreamMaxAge / 1000);
  for (;;) {
    signal.throwIfAborted();
    const found = await leastUsed(db).where('used_at', '<=', before).execute();
    await evict(
      db,
      found.map(({ id }) => id),
    );
    if (found.length < BATCH) break;
  }
  await evictTo(db, packages.upstreamCacheSize);
}

/** The size of all that is cached, or of what is of these upstreams, in bytes by upstream. */
export async function cachedSizes(db: Db, upstreamIds: readonly number[]): Promise<Map<number, number>> {
  if (upstreamIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('package_upstream_files')
    .select(({ fn }) => ['upstream_id', fn.sum<number | string>('size').as('size')])
    .where('upstream_id', 'in', [...upstreamIds])
    .groupBy('upstream_id')
    .execute();
  return new Map(rows.map(({ upstream_id, size }) => [upstream_id, Number(size)]));
}

async function evictTo(db: Db, limit: number): Promise<void> {
  const { total } = await db
    .selectFrom('package_upstream_files')
    .select(({ fn }) => fn.sum<number | string | null>('size').as('total'))
    .executeTakeFirstOrThrow();
  for (let excess = Number(total ?? 0) - limit; excess > 0; ) {
    const found = await leastUsed(db).execute();
    if (found.length === 0) return;
    const evicted: number[] = [];
    for (const { id, size } of found) {
      if (excess <= 0) break;
      excess -= size;
      evicted.push(id);
    }
    await evict(db, evicted);
  }
}

function leastUsed(db: Db) {
  const query = db.selectFrom('package_upstream_files').select(['id', 'size']).where('blob_id', 'is not', null);
  return query.orderBy('used_at').orderBy('id').limit(BATCH);
}

/** The rows of files stay, with their digests; documents have none. */
async function evict(db: Db, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await db
    .deleteFrom('package_upstream_files')
    .where('id', 'in', [...ids])
    .where('sha256', '=', '')
    .execute();
  await db
    .updateTable('package_upstream_files')
    .set({ blob_id: null, links_blob_id: null, size: 0 })
    .where('id', 'in', [...ids])
    .execute();
}
