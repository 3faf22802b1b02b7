import { sql } from 'kysely';
import { visibleUsers } from '../../access/user-visibility.ts';
import { now } from '../../clock.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import type { User } from '../../database/tables/accounts.ts';
import { forbidden } from '../../http/errors.ts';
import type { Page } from '../../http/paging.ts';
import { isBlocked } from '../blocks/blocked.ts';

/** Whether the one user follows the other. */
export async function isFollowing(db: Db, followerId: number, followedId: number): Promise<boolean> {
  const row = await db
    .selectFrom('follows')
    .select('follower_id')
    .where('follower_id', '=', followerId)
    .where('followed_id', '=', followedId)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Follows a user or an organization. Does nothing if that is so already, and for oneself.
 * @throws HttpError 403 when one has blocked the other
 */
export async function follow(context: Context, follower: User, followed: User): Promise<void> {
  if (follower.id === followed.id) return;
  await inTransaction(context, async ({ db }) => {
    if (await isFollowing(db, follower.id, followed.id)) return;
    if ((await isBlocked(db, followed.id, follower)) || (await isBlocked(db, follower.id, followed))) throw forbidden('user is blocked');
    const inserted = await db
      .insertInto('follows')
      .values({ follower_id: follower.id, followed_id: followed.id, created_at: now() })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (inserted.numInsertedOrUpdatedRows) await count(db, follower.id, followed.id, 1);
  });
}

/** Stops following, if there is anything to stop. */
export async function unfollow(context: Context, followerId: number, followedId: number): Promise<void> {
  await inTransaction(context, async ({ db }) => {
    const deleted = await db
      .deleteFrom('follows')
      .where('follower_id', '=', followerId)
      .where('followed_id', '=', followedId)
      .executeTakeFirst();
    if (deleted.numDeletedRows) await count(db, followerId, followedId, -1);
  });
}

async function count(db: Db, followerId: number, followedId: number, change: number): Promise<void> {
  const following = sql<number>`following_count + ${change}`;
  await db.updateTable('users').set({ following_count: following }).where('id', '=', followerId).execute();
  const followers = sql<number>`followers_count + ${change}`;
  await db.updateTable('users').set({ followers_count: followers }).where('id', '=', followedId).execute();
}

/** The followers of a user that the caller may see. */
export async function listFollowers(context: Context, user: User, page: Page): Promise<{ users: User[]; total: number }> {
  const followers = context.db
    .selectFrom('follows')
    .innerJoin('users', 'users.id', 'follows.follower_id')
    .where('follows.followed_id', '=', user.id)
    .where(visibleUsers(context.actor))
    .where(publicOnly(context));
  return {
    users: await followers.selectAll('users').orderBy('follows.follower_id').limit(page.limit).offset(page.offset).execute(),
    total: await total(followers.select((select) => select.fn.countAll<number>().as('total'))),
  };
}

/** The users that a user follows and that the caller may see. */
export async function listFollowing(context: Context, user: User, page: Page): Promise<{ users: User[]; total: number }> {
  const followed = context.db
    .selectFrom('follows')
    .innerJoin('users', 'users.id', 'follows.followed_id')
    .where('follows.follower_id', '=', user.id)
    .where(visibleUsers(context.actor))
    .where(publicOnly(context));
  return {
    users: await followed.selectAll('users').orderBy('follows.followed_id').limit(page.limit).offset(page.offset).execute(),
    total: await total(followed.select((select) => select.fn.countAll<number>().as('total'))),
  };
}

/** A token limited to public resources does not list others. */
function publicOnly({ signIn }: Context) {
  return signIn.token?.publicOnly ? sql<boolean>`users.visibility = 'public'` : sql<boolean>`1 = 1`;
}

async function total(query: { executeTakeFirstOrThrow(): Promise<{ total: number }> }): Promise<number> {
  return Number((await query.executeTakeFirstOrThrow()).total);
}
