import type { Context } from '../../context.ts';
import type { RepositoryUpdate } from '../../database/tables/repositories.ts';
import { unprocessable } from '../../http/errors.ts';
import type { Repository } from '../find.ts';

/** How deep forks of forks are followed. */
const MAX_DEPTH = 10;

/**
 * Whether a repository is private after somebody asked for it: a fork is as private as what it was forked from.
 * @throws HttpError 422 where only administrators may make it public
 */
export async function wantedPrivacy(context: Context, repository: Repository, wanted: boolean): Promise<boolean> {
  const { db, doer, settings } = context;
  let isPrivate = wanted;
  if (repository.fork_id !== null) {
    const parent = await db.selectFrom('repositories').select('is_private').where('id', '=', repository.fork_id).executeTakeFirst();
    isPrivate = parent?.is_private ?? wanted;
  }
  if (isPrivate !== repository.is_private && !isPrivate && settings.repository.forcePrivate && !doer?.is_admin) {
    throw unprocessable('cannot change private repository to public');
  }
  return isPrivate;
}

/**
 * What follows from a change of visibility, within its transaction: forks follow, and what becomes private loses its stars, and
 * the ties of those who see it no longer (lesson 11).
 */
export async function visibilityChanged(context: Context, repository: Repository, isPrivate: boolean): Promise<void> {
  const hidden = isPrivate || repository.owner.visibility === 'private';
  if (isPrivate) await hide(context, repository);
  let level = [repository.id];
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth++) {
    const forks = await context.db
      .updateTable('repositories')
      .set({ is_private: hidden } satisfies RepositoryUpdate)
      .where('fork_id', 'in', level)
      .returning(['id', 'owner_id'])
      .execute();
    if (hidden) for (const fork of forks) await hide(context, fork);
    level = forks.map(({ id }) => id);
  }
}

async function hide(context: Context, { id, owner_id }: { id: number; owner_id: number }): Promise<void> {
  const { db } = context;
  await db
    .updateTable('users')
    .set((users) => ({ stars_count: users('stars_count', '-', 1) }))
    .where('id', 'in', (select) => select.selectFrom('stars').select('user_id').where('repository_id', '=', id))
    .execute();
  await db.deleteFrom('stars').where('repository_id', '=', id).execute();
  await db.updateTable('repositories').set({ stars_count: 0 }).where('id', '=', id).execute();
  await context.events.emit(context, 'access.reduced', { ownerId: owner_id, repositoryId: id });
}
