import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { removeArchives } from './remove.ts';

/** Archives are deleted this many seconds after their last use. */
export const CACHE_SECONDS = 24 * 60 * 60;
/** Maximum number of cached archives, however small they are. */
const MAX_ARCHIVES = 10_000;
const BATCH = 100;

/**
 * Deletes archives that were not used lately, those of deleted repositories, and unfinished ones of dead processes; runs again while some
 * are left.
 */
export async function expireArchives(_payload: unknown, context: Context): Promise<void> {
  for (;;) {
    const rows = await context.db
      .selectFrom('archives')
      .leftJoin('repositories', 'repositories.id', 'archives.repository_id')
      .leftJoin('processes', 'processes.id', 'archives.process_id')
      .select(['archives.id', 'archives.blob'])
      .where((where) =>
        where.or([
          where('archives.used_at', '<=', now() - CACHE_SECONDS),
          where('repositories.id', 'is', null),
          where.and([where('archives.size', '=', 0), where('processes.id', 'is', null)]),
        ]),
      )
      .limit(BATCH)
      .execute();
    await removeArchives(context, rows);
    if (rows.length < BATCH) break;
  }
  await context.storage.removeUnfinished(CACHE_SECONDS);
  await makeRoom(context);
  const left = await context.db.selectFrom('archives').select('id').limit(1).executeTakeFirst();
  if (left) await context.jobs.add(context, 'archives.expire', {}, { key: 'all', delay: CACHE_SECONDS });
}

/** Deletes the least recently used archives until the others have room. */
export async function makeRoom(context: Context): Promise<void> {
  const { archivesMaxSize } = context.settings.repository;
  for (;;) {
    const { count, size } = await context.db
      .selectFrom('archives')
      .select(({ fn }) => [fn.countAll().as('count'), fn.sum('size').as('size')])
      .where('size', '>', 0)
      .executeTakeFirstOrThrow();
    let [tooMany, tooLarge] = [Number(count) - MAX_ARCHIVES, Number(size ?? 0) - archivesMaxSize];
    if (tooMany <= 0 && tooLarge <= 0) return;
    const oldest = await context.db
      .selectFrom('archives')
      .select(['id', 'blob', 'size'])
      .where('size', '>', 0)
      .orderBy('used_at')
      .orderBy('id')
      .limit(BATCH)
      .execute();
    const leaving = oldest.filter((row) => {
      const leaves = tooMany > 0 || tooLarge > 0;
      if (leaves) [tooMany, tooLarge] = [tooMany - 1, tooLarge - row.size];
      return leaves;
    });
    if (leaving.length === 0) return;
    await removeArchives(context, leaving);
  }
}
