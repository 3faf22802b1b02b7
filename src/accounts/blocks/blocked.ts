import type { Db } from '../../database/database.ts';
import type { User } from '../../database/tables/accounts.ts';

/**
 * Whether the owner, a user or an organization, has blocked this user. A block does not affect administrators.
 * Requests of a blocked user are refused with 403 `user is blocked`.
 */
export async function isBlocked(db: Db, blockerId: number, user: Pick<User, 'id' | 'is_admin'>): Promise<boolean> {
  return !user.is_admin && (await isListed(db, blockerId, user.id));
}

/** Whether any of these users and organizations has blocked this user. */
export async function isBlockedByAny(db: Db, blockerIds: readonly number[], user: Pick<User, 'id' | 'is_admin'>): Promise<boolean> {
  if (user.is_admin || blockerIds.length === 0) return false;
  const row = await db
    .selectFrom('blocks')
    .select('id')
    .where('blocker_id', 'in', [...blockerIds])
    .where('blocked_id', '=', user.id)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether this block exists, also for an administrator. */
export async function isListed(db: Db, blockerId: number, blockedId: number): Promise<boolean> {
  const row = await db
    .selectFrom('blocks')
    .select('id')
    .where('blocker_id', '=', blockerId)
    .where('blocked_id', '=', blockedId)
    .executeTakeFirst();
  return row !== undefined;
}
