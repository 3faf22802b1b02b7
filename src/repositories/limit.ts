import type { Context } from '../context.ts';
import type { User } from '../database/tables/accounts.ts';
import { conflict, forbidden } from '../http/errors.ts';

type Counted = Pick<User, 'max_repo_creation' | 'repos_count'>;

/** The owner's limit of repositories, if the caller cannot add one; otherwise undefined. */
export function reachedLimit({ settings, actor }: Context, owner: Counted): number | undefined {
  if (actor?.is_admin) return undefined;
  const limit = owner.max_repo_creation === -1 ? settings.repository.maxPerOwner : owner.max_repo_creation;
  return limit === -1 || owner.repos_count < limit ? undefined : limit;
}

/** @throws HttpError 403, for forks 409, at the owner's limit of repositories */
export function requireRoom(context: Context, owner: Counted, isFork = false): void {
  if (isFork && context.settings.repository.forkBeyondLimit) return;
  const limit = reachedLimit(context, owner);
  if (limit === undefined) return;
  throw (isFork ? conflict : forbidden)(`user has reached maximum limit of repositories [limit: ${limit}]`);
}

/**
 * Counts one more repository of an owner in a transaction. Concurrent additions wait for it, so that the returned owner, without this one,
 * can be checked against the limit.
 */
export async function countUp({ db }: Context, ownerId: number): Promise<Counted> {
  const { max_repo_creation, repos_count } = await db
    .updateTable('users')
    .set((users) => ({ repos_count: users('repos_count', '+', 1) }))
    .where('id', '=', ownerId)
    .returning(['max_repo_creation', 'repos_count'])
    .executeTakeFirstOrThrow();
  return { max_repo_creation, repos_count: repos_count - 1 };
}

/** Subtracts one repository of an owner. */
export async function countDown({ db }: Context, ownerId: number): Promise<void> {
  await db
    .updateTable('users')
    .set((users) => ({ repos_count: users('repos_count', '-', 1) }))
    .where('id', '=', ownerId)
    .execute();
}
