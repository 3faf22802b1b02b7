import { sql } from 'kysely';
import { now } from '../../clock.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import type { User } from '../../database/tables/accounts.ts';
import { badRequest, unprocessable } from '../../http/errors.ts';
import type { Page } from '../../http/paging.ts';
import { unfollow } from '../follows/follows.ts';

/** Maximum length of the note of a block. */
const MAX_NOTE = 255;

/** The users that a user or an organization has blocked, by their ids. */
export async function listBlocked({ db }: Context, blocker: User, page: Page): Promise<{ users: User[]; total: number }> {
  const blocked = db.selectFrom('blocks').innerJoin('users', 'users.id', 'blocks.blocked_id').where('blocks.blocker_id', '=', blocker.id);
  const { total } = await blocked.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const users = await blocked.selectAll('users').orderBy('users.id').limit(page.limit).offset(page.offset).execute();
  return { users, total: Number(total) };
}

/**
 * Blocks a user on behalf of a user or an organization: removes follows, stars, watches and collaborations between the two. Other
 * features remove theirs on the event `user.blocked`.
 * @param actor the blocker, an owner of the organization, or an administrator; the route ensures that
 * @throws HttpError 400 for a user who cannot be blocked
 */
export async function blockUser(context: Context, actor: User, blocker: User, user: User, note: string): Promise<void> {
  if (user.type === 'organization') throw badRequest('cannot block an organization');
  if ([...note].length > MAX_NOTE) throw unprocessable('[Note]: MaxSize');
  const refused = () => badRequest('cannot block the user');
  if (user.id === blocker.id || user.id === actor.id) throw refused();
  await inTransaction(context, async (context) => {
    const { db } = context;
    if (await isMember(db, blocker, user)) throw refused();
    const inserted = await db
      .insertInto('blocks')
      .values({ blocker_id: blocker.id, blocked_id: user.id, note, created_at: now() })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (!inserted.numInsertedOrUpdatedRows) throw refused();
    await unfollow(context, blocker.id, user.id);
    await unfollow(context, user.id, blocker.id);
    for (const [a, b] of [
      [blocker, user],
      [user, blocker],
    ] as const) {
      await forgetRepositories(db, a.id, b.id);
      // Other relations to private repositories end with the access.
      await context.events.emit(context, 'access.reduced', { ownerId: b.id, userIds: [a.id] });
    }
    await context.events.emit(context, 'user.blocked', { blockerId: blocker.id, blockedId: user.id, actorId: actor.id });
  });
}

async function isMember(db: Db, organization: User, user: User): Promise<boolean> {
  if (organization.type !== 'organization') return false;
  const row = await db
    .selectFrom('organization_members')
    .select('user_id')
    .where('organization_id', '=', organization.id)
    .where('user_id', '=', user.id)
    .executeTakeFirst();
  return row !== undefined;
}

/** Removes stars, watches and collaborations of `userId` in repositories of `ownerId`, and updates the counts. */
async function forgetRepositories(db: Db, userId: number, ownerId: number): Promise<void> {
  const owned = db.selectFrom('repositories').select('id').where('owner_id', '=', ownerId);
  const stars = await db
    .deleteFrom('stars')
    .where('user_id', '=', userId)
    .where('repository_id', 'in', owned)
    .returning('repository_id')
    .execute();
  await countOff(db, 'stars_count', stars);
  const users = sql<number>`stars_count - ${stars.length}`;
  if (stars.length > 0) await db.updateTable('users').set({ stars_count: users }).where('id', '=', userId).execute();
  const watches = await db
    .deleteFrom('watches')
    .where('user_id', '=', userId)
    .where('repository_id', 'in', owned)
    .returning(['repository_id', 'mode'])
    .execute();
  await countOff(
    db,
    'watchers_count',
    watches.filter(({ mode }) => mode !== 'ignored'),
  );
  await db.deleteFrom('collaborations').where('user_id', '=', userId).where('repository_id', 'in', owned).execute();
}

async function countOff(
  db: Db,
  column: 'stars_count' | 'watchers_count',
  repositories: readonly { repository_id: number }[],
): Promise<void> {
  const ids = repositories.map(({ repository_id }) => repository_id);
  if (ids.length === 0) return;
  await db
    .updateTable('repositories')
    .set({ [column]: sql<number>`${sql.ref(column)} - 1` })
    .where('id', 'in', ids)
    .execute();
}

/**
 * Removes a block. What it removed is not restored.
 * @param actor as in {@link blockUser}
 * @throws HttpError 400 when there is no such block
 */
export async function unblockUser(context: Context, actor: User, blocker: User, user: User): Promise<void> {
  if (user.type === 'organization') throw badRequest('cannot block an organization');
  const refused = () => badRequest('cannot unblock the user');
  if (user.id === actor.id) throw refused();
  const deleted = await context.db
    .deleteFrom('blocks')
    .where('blocker_id', '=', blocker.id)
    .where('blocked_id', '=', user.id)
    .executeTakeFirst();
  if (deleted.numDeletedRows === 0n) throw refused();
}
