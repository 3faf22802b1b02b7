import { NoResultError } from 'kysely';
import { GitError } from '../git/processes/process.ts';
import type { Db } from './database.ts';

/** How often work runs again when it finds each time that something was deleted meanwhile. */
const MAX_RUNS = 3;

/** Fields that a payload may have, among others. */
interface Named {
  readonly repositoryId?: number;
  readonly issueId?: number;
  readonly pullId?: number;
}

/** Whether a statement failed because a row that it refers to does not exist. */
export function isForeignKeyViolation(error: unknown): boolean {
  // SQLITE_CONSTRAINT_FOREIGNKEY; foreign_key_violation of PostgreSQL.
  const { errcode, code } = error as { errcode?: number; code?: string };
  return errcode === 787 || code === '23503';
}

/**
 * Runs work that finds its objects by id, and does nothing where they are deleted. If it fails because something was deleted while it ran,
 * it runs again and finds that out: a missing row that it refers to, a change that returns nothing, or a missing folder of the repository
 * that the payload names.
 */
export async function despiteDeletions(db: Db, payload: unknown, work: () => Promise<void>, signal?: AbortSignal): Promise<void> {
  for (let run = 1; ; run++) {
    try {
      return await work();
    } catch (error) {
      if (run === MAX_RUNS || signal?.aborted) throw error;
      const isRow = isForeignKeyViolation(error) || error instanceof NoResultError;
      if (!isRow && !(isOfFolder(error) && (await isNamedDeleted(db, payload as Named)))) throw error;
    }
  }
}

/** Whether an error may have been caused by the missing folder of a repository. */
function isOfFolder(error: unknown): boolean {
  return error instanceof GitError || (error as { code?: unknown }).code === 'ENOENT';
}

async function isNamedDeleted(db: Db, { repositoryId, pullId, issueId = pullId }: Named): Promise<boolean> {
  if (issueId !== undefined) {
    const issue = await db.selectFrom('issues').select('repository_id').where('id', '=', issueId).executeTakeFirst();
    return !issue || isRepositoryDeleted(db, issue.repository_id);
  }
  return repositoryId !== undefined && isRepositoryDeleted(db, repositoryId);
}

async function isRepositoryDeleted(db: Db, id: number): Promise<boolean> {
  const row = await db.selectFrom('repositories').select('state').where('id', '=', id).executeTakeFirst();
  return !row || row.state === 'deleting';
}
