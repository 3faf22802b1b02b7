import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import { now } from '../../clock.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { CodeIndexesTable } from '../../database/tables/code-indexes.ts';
import { FORMAT } from './format.ts';

/** An index of a repository. */
export type CodeIndex = Selectable<CodeIndexesTable>;

/** The facts of the indexed branch. */
export type IndexedBranch = Pick<CodeIndex, 'branch' | 'commit_id' | 'refs_version'>;

const BATCH = 100;

/** The index of a repository that searches use. */
export async function readyIndex({ db }: Pick<Context, 'db'>, repositoryId: number): Promise<CodeIndex | undefined> {
  return await db
    .selectFrom('code_indexes')
    .selectAll()
    .where('repository_id', '=', repositoryId)
    .where('state', '=', 'ready')
    .executeTakeFirst();
}

/** The row comes before the bytes, so that they are removed some day, also when the server dies before they are whole. */
export async function beginIndex(context: Context, repositoryId: number): Promise<Pick<CodeIndex, 'id' | 'key'>> {
  const key = `code-indexes/${(repositoryId % 256).toString(16).padStart(2, '0')}/${repositoryId}/${randomUUID()}`;
  const row = { repository_id: repositoryId, state: 'making' as const, key, format: FORMAT, created_at: now() };
  return await context.db
    .insertInto('code_indexes')
    .values({ ...row, process_id: context.processes.id })
    .returning(['id', 'key'])
    .executeTakeFirstOrThrow();
}

/** The totals of an index. */
export type IndexContent = IndexedBranch & Pick<CodeIndex, 'files' | 'texts_bytes' | 'table_bytes' | 'is_partial'>;

/** Makes an index the one that searches use. False when it was removed meanwhile, as when its repository was deleted. */
export async function publishIndex(context: Context, { id, repositoryId }: { id: number; repositoryId: number }, content: IndexContent) {
  return await inTransaction(context, async ({ db }) => {
    await db
      .updateTable('code_indexes')
      .set({ state: 'removed' })
      .where('repository_id', '=', repositoryId)
      .where('state', '=', 'ready')
      .execute();
    const { numUpdatedRows } = await db
      .updateTable('code_indexes')
      .set({ ...content, state: 'ready', process_id: null })
      .where('id', '=', id)
      .where('state', '=', 'making')
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  });
}

/** The index is of this branch, too: its files are the same. */
export async function confirmIndex({ db }: Pick<Context, 'db'>, { id }: Pick<CodeIndex, 'id'>, branch: IndexedBranch): Promise<void> {
  await db.updateTable('code_indexes').set(branch).where('id', '=', id).execute();
}

/** Marks an index whose bytes are lost: searches skip it until it is built again. */
export async function discardIndex(context: Context, { id, repository_id }: Pick<CodeIndex, 'id' | 'repository_id'>): Promise<void> {
  await inTransaction(context, async (context) => {
    const { db } = context;
    const lost = await db
      .updateTable('code_indexes')
      .set({ state: 'removed' })
      .where('id', '=', id)
      .where('state', '=', 'ready')
      .executeTakeFirst();
    if (lost.numUpdatedRows > 0n) await queueUpdate(context, repository_id);
  });
}

/** Brings the index of a repository up to date, in the background. */
export async function queueUpdate(context: Context, repositoryId: number, delay = 0): Promise<void> {
  await context.jobs.add(context, 'code-search.update', { repositoryId }, { key: String(repositoryId), delay });
}

/** Deletes the bytes of replaced and of unfinished indexes, and then their rows. */
export async function removeUnused({ db, storage }: Pick<Context, 'db' | 'storage'>): Promise<void> {
  for (;;) {
    const rows = await db
      .selectFrom('code_indexes')
      .leftJoin('processes', 'processes.id', 'code_indexes.process_id')
      .select(['code_indexes.id', 'code_indexes.key'])
      .where('code_indexes.state', '<>', 'ready')
      .where((where) => where.or([where('code_indexes.state', '=', 'removed'), where('processes.id', 'is', null)]))
      .orderBy('code_indexes.id')
      .limit(BATCH)
      .execute();
    for (const { id, key } of rows) {
      await storage.delete(key);
      await db.deleteFrom('code_indexes').where('id', '=', id).execute();
    }
    if (rows.length < BATCH) return;
  }
}
