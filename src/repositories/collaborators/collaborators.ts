import type { Repository } from '../../access/find-repository.ts';
import { repositoryAccess } from '../../access/repository-access.ts';
import { isListed } from '../../accounts/blocks/blocked.ts';
import { now } from '../../clock.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { AccessLevel } from '../../database/tables/repositories.ts';
import { forbidden, notFound, unprocessable } from '../../http/errors.ts';
import type { Page } from '../../http/paging.ts';
import { lockRepository } from '../lock.ts';
import { unwatch } from '../watches/watches.ts';

/** The names of access levels on the wire, by level. */
export const LEVEL_NAMES = ['none', 'read', 'write', 'admin', 'owner'] as const;

/** A page of collaborators, in the order they were added, and the number of all. */
export async function listCollaborators({ db }: Context, repository: Repository, page: Page): Promise<{ users: User[]; total: number }> {
  const collaborators = db.selectFrom('collaborations').where('repository_id', '=', repository.id);
  const { total } = await collaborators.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const users = await collaborators
    .innerJoin('users', 'users.id', 'collaborations.user_id')
    .selectAll('users')
    .orderBy('collaborations.id')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return { users, total: Number(total) };
}

/** The access levels of some collaborators, by their ids. */
export async function collaboratorLevels(
  { db }: Context,
  repository: Repository,
  users: readonly Pick<User, 'id'>[],
): Promise<Map<number, AccessLevel>> {
  if (users.length === 0) return new Map();
  const rows = await db
    .selectFrom('collaborations')
    .select(['user_id', 'access_level'])
    .where('repository_id', '=', repository.id)
    .where(
      'user_id',
      'in',
      users.map(({ id }) => id),
    )
    .execute();
  return new Map(rows.map(({ user_id, access_level }) => [user_id, access_level]));
}

/** Whether the user is a collaborator; an owner is none unless added as one, which has no effect. */
export async function isCollaborator({ db }: Pick<Context, 'db'>, repositoryId: number, userId: number): Promise<boolean> {
  const row = await db
    .selectFrom('collaborations')
    .select('user_id')
    .where('repository_id', '=', repositoryId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Adds a collaborator, or changes the permission of one.
 * @throws HttpError 403 where one has blocked the other, 422 for a user who cannot be one, or an invalid permission
 */
export async function setCollaborator(context: Context, repository: Repository, user: User, permission: string): Promise<void> {
  const level = (LEVEL_NAMES as readonly string[]).indexOf(permission) as AccessLevel;
  if (level < 1 || level > 3) throw unprocessable(`no such permission: ${permission}`);
  if (user.type !== 'individual') throw unprocessable('an organization cannot be a collaborator');
  if (!user.is_active) throw unprocessable("collaborator's account is inactive");
  await inTransaction(context, async (context) => {
    const { db } = context;
    await lockForAdministrator(context, repository);
    if ((await isListed(db, repository.owner_id, user.id)) || (await isListed(db, user.id, repository.owner_id))) {
      throw forbidden('user is blocked');
    }
    await db
      .insertInto('collaborations')
      .values({ repository_id: repository.id, user_id: user.id, access_level: level, created_at: now() })
      .onConflict((conflict) => conflict.columns(['repository_id', 'user_id']).doUpdateSet({ access_level: level }))
      .execute();
  });
}

/** Users who have just been removed, or have just transferred the repository, cannot add themselves again. @throws HttpError 403, 404 */
async function lockForAdministrator(context: Context, repository: Repository): Promise<void> {
  if (!(await lockRepository(context, repository))) throw notFound();
  const { actor } = context;
  if (actor && !(await repositoryAccess(context, repository, actor)).isAdmin)
    throw forbidden('only administrators of the repository decide who collaborates');
}

/** Removes a collaborator and the watch that was added with it; does nothing if the user is none. */
export async function removeCollaborator(context: Context, repository: Repository, user: Pick<User, 'id'>): Promise<void> {
  await inTransaction(context, async (context) => {
    await lockRepository(context, repository);
    const removed = await context.db
      .deleteFrom('collaborations')
      .where('repository_id', '=', repository.id)
      .where('user_id', '=', user.id)
      .returning('user_id')
      .executeTakeFirst();
    if (!removed) return;
    await unwatch(context, repository, user.id);
    await context.events.emit(context, 'access.reduced', {
      ownerId: repository.owner_id,
      userIds: [user.id],
      repositoryId: repository.id,
    });
  });
}
