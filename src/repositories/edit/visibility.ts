import { findRepository, type Repository } from '../../access/find-repository.ts';
import { type Context, inTransaction } from '../../context.ts';
import { unprocessable } from '../../http/errors.ts';
import { removeStars } from '../stars/stars.ts';

/** Maximum depth of forks of forks. */
const MAX_DEPTH = 10;

/**
 * Makes a repository private or public, if allowed: a fork of a private one stays private, one of a public one is not made private.
 * Forks become private together with their source; they do not become public by themselves, since that is their owners' decision.
 * @throws HttpError 422 where only administrators may make it public
 */
export async function changeVisibility(context: Context, repository: Repository, wanted: boolean): Promise<void> {
  const { actor, settings } = context;
  const isPrivate = repository.fork_id === null ? wanted : await forkPrivacy(context, repository, repository.fork_id, wanted);
  if (isPrivate === repository.is_private) return;
  if (!isPrivate && settings.repository.forcePrivate && !actor?.is_admin) throw unprocessable('cannot change private repository to public');
  await inTransaction(context, async (context) => {
    await context.db.updateTable('repositories').set({ is_private: isPrivate }).where('id', '=', repository.id).execute();
    if (!isPrivate) return;
    await hide(context, repository);
    await hideForks(context, repository);
  });
}

async function forkPrivacy({ db }: Context, { is_private }: Repository, sourceId: number, wanted: boolean): Promise<boolean> {
  const source = await findRepository(db, sourceId);
  if (!source) return wanted;
  return source.is_private || source.owner.visibility === 'private' || (wanted && is_private);
}

async function hideForks(context: Context, { id }: Repository): Promise<void> {
  let level = [id];
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth++) {
    const forks = await context.db
      .updateTable('repositories')
      .set({ is_private: true })
      .where('fork_id', 'in', level)
      .returning(['id', 'owner_id'])
      .execute();
    for (const fork of forks) await hide(context, fork);
    level = forks.map(({ id }) => id);
  }
}

/** Removes the stars of a repository that becomes private, and the relations of users who no longer see it. */
async function hide(context: Context, { id, owner_id }: { id: number; owner_id: number }): Promise<void> {
  const { db } = context;
  await removeStars(context, id);
  await db.updateTable('repositories').set({ stars_count: 0 }).where('id', '=', id).execute();
  await context.events.emit(context, 'access.reduced', { ownerId: owner_id, repositoryId: id });
}
