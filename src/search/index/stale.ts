import { sql } from 'kysely';
import { now } from '../../clock.ts';
import { type Context, internalContext, type Services } from '../../context.ts';
import type { Finding } from '../../repositories/doctor/finding.ts';
import { FORMAT } from './format.ts';
import { discardIndex, queueUpdate, removeUnused } from './rows.ts';

const BATCH = 500;
/** Age from which the scheduled task repairs missing indexes; the doctor only reports them. */
const LATE_SECONDS = 3600;

/**
 * Repositories whose index is missing, of an older layout, or of a state before the last push; in the order of their ids.
 * @param lateSince only repositories with an index and a last push before this time
 */
async function staleAfter({ db }: Context, after: number, lateSince?: number): Promise<number[]> {
  const rows = await db
    .selectFrom('repositories')
    .leftJoin('code_indexes', (join) =>
      join.onRef('code_indexes.repository_id', '=', 'repositories.id').on('code_indexes.state', '=', 'ready'),
    )
    .select('repositories.id')
    .where('repositories.id', '>', after)
    .$if(lateSince !== undefined, (query) =>
      query.where('repositories.updated_at', '<', lateSince ?? 0).where('code_indexes.id', 'is not', null),
    )
    .where('repositories.state', '=', 'ready')
    .where((where) =>
      where.or([
        where.and([where('code_indexes.id', 'is', null), where('repositories.is_empty', '=', false)]),
        where('code_indexes.format', '<>', FORMAT),
        where('code_indexes.refs_version', '<>', sql.ref<number>('repositories.refs_version')),
        where('code_indexes.branch', '<>', sql.ref<string>('repositories.default_branch')),
      ]),
    )
    .orderBy('repositories.id')
    .limit(BATCH)
    .execute();
  return rows.map(({ id }) => id);
}

/** At a start, and when a process has died: in the background, since the first time it is every repository. */
export async function repairIndexes(services: Services): Promise<void> {
  const context = internalContext(services);
  await context.jobs.add(context, 'code-search.clean', {}, { key: 'all' });
}

/**
 * Updates indexes after changes without a push, such as an import, a restored backup, or enabling code search, and removes remains
 * of deleted repositories and dead processes. Also part of the nightly task.
 */
export async function updateStale(context: Context, signal: AbortSignal): Promise<void> {
  await removeUnused(context);
  if (!context.settings.codeSearch.enabled) return;
  for (let after = 0; ; ) {
    const ids = await staleAfter(context, after);
    for (const id of ids) {
      signal.throwIfAborted();
      await queueUpdate(context, id);
    }
    after = ids.at(-1) ?? after;
    if (ids.length < BATCH) return;
  }
}

/**
 * Indexes whose bytes are lost, and those that have been outdated for an hour or more. A repository without an index, for example after an
 * import, gets one at the next start.
 */
export async function* indexFindings(context: Context): AsyncGenerator<Finding> {
  yield* lostIndexes(context);
  if (!context.settings.codeSearch.enabled) return;
  for (let after = 0; ; ) {
    const ids = await staleAfter(context, after, now() - LATE_SECONDS);
    for (const id of ids) {
      yield { text: `the search index of the repository ${id} is out of date`, fix: () => queueUpdate(context, id) };
    }
    after = ids.at(-1) ?? after;
    if (ids.length < BATCH) return;
  }
}

async function* lostIndexes(context: Context): AsyncGenerator<Finding> {
  for (let after = 0; ; ) {
    const rows = await context.db
      .selectFrom('code_indexes')
      .select(['id', 'repository_id', 'key'])
      .where('state', '=', 'ready')
      .where('id', '>', after)
      .orderBy('id')
      .limit(BATCH)
      .execute();
    for (const row of rows) {
      if (await context.storage.info(row.key)) continue;
      const text = `the bytes of the search index of the repository ${row.repository_id} are lost`;
      yield { text, fix: () => discardIndex(context, row) };
    }
    after = rows.at(-1)?.id ?? after;
    if (rows.length < BATCH) return;
  }
}
