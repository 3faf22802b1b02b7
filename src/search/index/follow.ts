import type { Context } from '../../context.ts';
import { prepared } from '../../database/prepared.ts';
import type { Events } from '../../events/events.ts';
import { queueUpdate } from './rows.ts';

/** A burst of pushes is indexed once, so many seconds after its first. */
const DELAY = 2;

const selectDefaultBranch = prepared((db, repositoryId: number) =>
  db.selectFrom('repositories').select('default_branch').where('id', '=', repositoryId),
);

/** Within the transaction of a push: a server that dies right after it has the job. */
export async function followRefs({ repositoryId, updates }: Events['refs.changed'], context: Context): Promise<void> {
  if (!context.settings.codeSearch.enabled || !updates.some(({ ref }) => ref.startsWith('refs/heads/'))) return;
  const [row] = await selectDefaultBranch(context.db, repositoryId);
  if (updates.some(({ ref }) => ref === `refs/heads/${row?.default_branch}`)) await queueUpdate(context, repositoryId, DELAY);
}

/** A new repository may already have files: of a fork, a template or a migrated project. */
export async function followCreation({ repositoryId }: Events['repository.created'], context: Context): Promise<void> {
  if (!context.settings.codeSearch.enabled) return;
  const row = await context.db.selectFrom('repositories').select('is_empty').where('id', '=', repositoryId).executeTakeFirst();
  if (row && !row.is_empty) await queueUpdate(context, repositoryId, DELAY);
}

/** Another branch is the default one. */
export async function followDefaultBranch({ repositoryId }: Events['default-branch.changed'], context: Context): Promise<void> {
  if (context.settings.codeSearch.enabled) await queueUpdate(context, repositoryId);
}

/** The indexes of a deleted repository go: the bytes with the next cleaning. */
export async function removeIndexes({ repositoryId }: Events['repository.removing'], context: Context): Promise<void> {
  const removed = await context.db
    .updateTable('code_indexes')
    .set({ state: 'removed' })
    .where('repository_id', '=', repositoryId)
    .executeTakeFirst();
  if (removed.numUpdatedRows > 0n) await context.jobs.add(context, 'code-search.clean', {}, { key: 'all' });
}
