import { findRepositories, findRepository, type Repository } from '../../access/find-repository.ts';
import { repositoriesAccess, repositoryAccess } from '../../access/repository-access.ts';
import { now } from '../../clock.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { SavedQueryRow } from '../../database/tables/issue-activity.ts';
import { notFound, unprocessable } from '../../http/errors.ts';

/** Maximum number of saved queries of a user. */
export const MAX_SAVED = 50;
/** Maximum length of a name. */
export const MAX_SAVED_NAME = 100;
const MAX_QUERY = 4000;

/** A user's saved filter, of a list in a repository or of the list over all. */
export interface SavedQuery extends SavedQueryRow {
  readonly repository: Repository | null;
}

/** The saved queries of a user, oldest first; without those of repositories that the caller may not see any more. */
export async function listSavedQueries(context: Context, user: User): Promise<SavedQuery[]> {
  const { db } = context;
  const rows = await db.selectFrom('saved_queries').selectAll().where('user_id', '=', user.id).orderBy('id').execute();
  if (rows.length === 0) return [];
  const repositories = await findRepositories(db, [...new Set(rows.flatMap((row) => row.repository_id ?? []))]);
  const access = await repositoriesAccess(context, repositories, context.actor);
  return rows.flatMap((row): SavedQuery[] => {
    if (row.repository_id === null) return [{ ...row, repository: null }];
    const repository = repositories.find(({ id }) => id === row.repository_id);
    return repository && access.get(repository.id)?.isVisible ? [{ ...row, repository }] : [];
  });
}

/** The fields of a new saved query. */
export interface NewSavedQuery {
  readonly name: string;
  readonly repositoryId: number | null;
  readonly isPull: boolean;
  /** The parameters of the URL, without `?`. */
  readonly query: string;
}

/**
 * Saves the filter of a list.
 * @throws HttpError 404 for a repository that the caller may not see, 422
 */
export async function saveQuery(context: Context, user: User, { name, repositoryId, isPull, query }: NewSavedQuery): Promise<void> {
  const trimmed = name.trim();
  if (trimmed === '') throw unprocessable('[Name]: Required');
  if ([...trimmed].length > MAX_SAVED_NAME) throw unprocessable('[Name]: MaxSize');
  if (query.length > MAX_QUERY) throw unprocessable('[Query]: MaxSize');
  if (repositoryId !== null) {
    const repository = await findRepository(context.db, repositoryId);
    if (!repository || !(await repositoryAccess(context, repository, context.actor)).isVisible) throw notFound();
  }
  await inTransaction(context, async ({ db, database }) => {
    // Of two concurrent requests, the second sees what the first has added.
    if (database.dialect === 'postgres') await db.selectFrom('users').select('id').where('id', '=', user.id).forNoKeyUpdate().execute();
    const { count } = await db
      .selectFrom('saved_queries')
      .select((select) => select.fn.countAll<number>().as('count'))
      .where('user_id', '=', user.id)
      .executeTakeFirstOrThrow();
    if (Number(count) >= MAX_SAVED) throw unprocessable(`[Queries]: at most ${MAX_SAVED} can be kept`);
    const row = { user_id: user.id, repository_id: repositoryId, is_pull: isPull, name: trimmed, query, created_at: now() };
    await db.insertInto('saved_queries').values(row).execute();
  });
}

/** Deletes a saved query of a user. @throws HttpError 404 */
export async function deleteSavedQuery({ db }: Context, user: User, id: number): Promise<void> {
  const { numDeletedRows } = await db.deleteFrom('saved_queries').where('id', '=', id).where('user_id', '=', user.id).executeTakeFirst();
  if (Number(numDeletedRows) === 0) throw notFound();
}
