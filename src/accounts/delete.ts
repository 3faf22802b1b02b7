import { type SelectQueryBuilder, sql } from 'kysely';
import { now } from '../clock.ts';
import { afterCommit, type Context, inTransaction } from '../context.ts';
import type { Db } from '../database/database.ts';
import { deleteReferring } from '../database/delete-referring.ts';
import type { User } from '../database/tables/accounts.ts';
import type { Tables } from '../database/tables.ts';
import { unprocessable } from '../http/errors.ts';
import { lastAdministrator } from './administrators.ts';
import { avatarKey } from './avatars/avatars.ts';

/**
 * Deletes the account of a person. Its content stays, under the name of the ghost; what it owns has to be deleted first.
 * Everything that belongs only to the account is deleted with its row.
 * @param options.purge also deletes what the account owns, and its comments
 * @throws HttpError 422 while it owns repositories or packages, is in organizations, or is the last administrator
 */
export async function deleteUser(context: Context, user: User, options: { purge?: boolean } = {}): Promise<void> {
  await inTransaction(context, async (context) => {
    const { db, settings } = context;
    const { id } = user;
    const last = await lastAdministrator(context, user);
    if (last) throw unprocessable(last);
    if (options.purge) await context.events.emit(context, 'user.purging', { userId: id, actorId: context.actor?.id ?? 0 });
    await refuseBelongings(db, id);
    const isYoung = now() - user.created_at < settings.users.deleteWithCommentsMaxAge / 1000;
    await context.events.emit(context, 'user.deleting', { userId: id, withComments: options.purge === true || isYoung });
    await countOff(db, id);
    await db.deleteFrom('ssh_keys').where('user_id', '=', id).execute();
    await deleteReferring(context, 'users', [id]);
    await db.deleteFrom('users').where('id', '=', id).execute();
    await context.events.emit(context, 'user.deleted', { userId: id, name: user.name });
    if (user.avatar) afterCommit(context, () => void context.storage.delete(avatarKey(user.avatar)).catch(logFailure(context)));
  });
}

function logFailure({ log }: Context) {
  return (error: unknown) => log.error({ err: error }, 'the picture of a deleted user could not be removed');
}

async function refuseBelongings(db: Db, id: number): Promise<void> {
  const repository = await db
    .selectFrom('repositories')
    .select('id')
    .where('owner_id', '=', id)
    .where('state', '!=', 'deleting')
    .limit(1)
    .executeTakeFirst();
  if (repository) throw unprocessable(`user still has ownership of repositories [uid: ${id}]`);
  const membership = await db.selectFrom('organization_members').select('user_id').where('user_id', '=', id).limit(1).executeTakeFirst();
  if (membership) throw unprocessable(`user still has membership of organizations [uid: ${id}]`);
}

/** Updates counts of others that include the account, some at a time: there may be 100,000. */
async function countOff(db: Db, id: number): Promise<void> {
  await inBatches(
    (after) => linked(db.selectFrom('follows').select('followed_id as id').where('follower_id', '=', id).where('followed_id', '>', after)),
    (ids) => db.updateTable('users').set({ followers_count: sql<number>`followers_count - 1` }).where('id', 'in', ids).execute(),
  );
  await inBatches(
    (after) => linked(db.selectFrom('follows').select('follower_id as id').where('followed_id', '=', id).where('follower_id', '>', after)),
    (ids) => db.updateTable('users').set({ following_count: sql<number>`following_count - 1` }).where('id', 'in', ids).execute(),
  );
  await inBatches(
    (after) => linked(db.selectFrom('stars').select('repository_id as id').where('user_id', '=', id).where('repository_id', '>', after)),
    (ids) => db.updateTable('repositories').set({ stars_count: sql<number>`stars_count - 1` }).where('id', 'in', ids).execute(),
  );
  const watched = db.selectFrom('watches').select('repository_id as id').where('user_id', '=', id).where('mode', '!=', 'ignored');
  await inBatches(
    (after) => linked(watched.where('repository_id', '>', after)),
    (ids) => db.updateTable('repositories').set({ watchers_count: sql<number>`watchers_count - 1` }).where('id', 'in', ids).execute(),
  );
}

/** Rows that are read and updated at once. */
const BATCH = 500;

function linked<T extends keyof Tables>(query: SelectQueryBuilder<Tables, T, { id: number }>): Promise<{ id: number }[]> {
  return query.orderBy(sql`1`).limit(BATCH).execute();
}

async function inBatches(
  idsAfter: (after: number) => Promise<readonly { id: number }[]>,
  change: (ids: readonly number[]) => Promise<unknown>,
): Promise<void> {
  for (let after = 0; ; ) {
    const ids = (await idsAfter(after)).map(({ id }) => id);
    const last = ids.at(-1);
    if (last === undefined) return;
    await change(ids);
    after = last;
  }
}
