import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { KEPT_SECONDS } from './kept.ts';

const BATCH = 100;

/** Removes the archives that nobody asked for lately and those of repositories that are gone; comes back while some are left. */
export async function expireArchives(_payload: unknown, context: Context): Promise<void> {
  for (;;) {
    const rows = await context.db
      .selectFrom('archives')
      .leftJoin('repositories', 'repositories.id', 'archives.repository_id')
      .select(['archives.id', 'archives.key'])
      .where((where) => where.or([where('archives.used_at', '<=', now() - KEPT_SECONDS), where('repositories.id', 'is', null)]))
      .limit(BATCH)
      .execute();
    for (const { id, key } of rows) {
      await context.storage.delete(key);
      await context.db.deleteFrom('archives').where('id', '=', id).execute();
    }
    if (rows.length < BATCH) break;
  }
  const left = await context.db.selectFrom('archives').select('id').limit(1).executeTakeFirst();
  if (left) await context.jobs.add(context, 'archives.expire', {}, { key: 'all', delay: KEPT_SECONDS });
}
