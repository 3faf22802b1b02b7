import { isOrganizationAdministrator } from '../access/find-organization.ts';
import { type Repository, withOwners } from '../access/find-repository.ts';
import { type Context, inTransaction } from '../context.ts';
import { deleteInBatches } from '../database/delete-in-batches.ts';
import { deleteReferring } from '../database/delete-referring.ts';
import type { Events } from '../events/events.ts';
import { deleteRepository as deleteFolder } from '../git/create.ts';
import { forbidden } from '../http/errors.ts';
import { removeFromAllTeams } from '../organizations/teams/repositories.ts';
import { HELD_SECONDS, isCleanupHeld } from '../processes/cleanup-hold.ts';
import { avatarKey } from './avatar/avatar.ts';
import { uncountFork } from './forks/count.ts';
import { countDown } from './limit.ts';
import { removeStars } from './stars/stars.ts';

/**
 * {@link deleteRepository} on the caller's request: for the repositories of an organization its administrators are asked.
 * @throws HttpError 403
 */
export async function requestDeletion(context: Context, repository: Repository): Promise<void> {
  const { actor, db } = context;
  const { owner } = repository;
  const mayDelete =
    owner.type !== 'organization' || actor?.is_admin || (actor && (await isOrganizationAdministrator(db, owner.id, actor.id)));
  if (!mayDelete) throw forbidden('Given user is not owner of organization.');
  await deleteRepository(context, repository);
}

/**
 * Deletes a repository. From the commit on nobody finds it and its name is free; a job deletes its files and its rows in
 * other tables, which a crash only delays. No name is a folder, so that a new repository of this
 * name can never show the old content.
 */
export async function deleteRepository(context: Context, repository: Repository): Promise<void> {
  await inTransaction(context, async (context) => {
    const { db } = context;
    await context.events.emit(context, 'repository.deleting', { repositoryId: repository.id });
    const marked = await db
      .updateTable('repositories')
      // No name contains a slash: the old one can be used again at once.
      .set({ state: 'deleting', lower_name: `${repository.lower_name}/${repository.id}` })
      .where('id', '=', repository.id)
      .where('state', '=', 'ready')
      .returning(['fork_id', 'owner_id'])
      .executeTakeFirst();
    if (!marked) return;
    // The source's row before the owner's, as for new forks: so there is no deadlock.
    await uncountFork(context, marked);
    // The current owner: it may have been transferred meanwhile.
    await countDown(context, marked.owner_id);
    await uncount(context, repository.id);
    await removeStars(context, repository.id);
    await removeFromAllTeams(context, { id: repository.id, owner_id: marked.owner_id });
    await deleteInBatches(db, 'watches', repository.id);
    for (const table of ['repository_topics', 'collaborations', 'repository_redirects'] as const) {
      await db.deleteFrom(table).where('repository_id', '=', repository.id).execute();
    }
    await db.updateTable('repositories').set({ fork_id: null }).where('fork_id', '=', repository.id).execute();
    await context.jobs.add(context, 'repository.remove-folder', { repositoryId: repository.id });
    await context.events.emit(context, 'repository.deleted', {
      repositoryId: repository.id,
      ownerId: repository.owner_id,
      ownerName: repository.owner.name,
      name: repository.name,
      isPrivate: repository.is_private,
      actorId: context.actor?.id ?? 0,
    });
  });
}

/** Deletes every repository of an account that is being purged. */
export async function deleteRepositoriesOf({ userId }: Events['user.purging'], context: Context): Promise<void> {
  const rows = await context.db
    .selectFrom('repositories')
    .selectAll()
    .where('owner_id', '=', userId)
    .where('state', '=', 'ready')
    .execute();
  for (const repository of await withOwners(context.db, rows)) await deleteRepository(context, repository);
}

/** Subtracts the repository from all counts of other rows. */
async function uncount({ db }: Context, id: number): Promise<void> {
  await db
    .updateTable('topics')
    .set((topics) => ({ repos_count: topics('repos_count', '-', 1) }))
    .where('id', 'in', (select) => select.selectFrom('repository_topics').select('topic_id').where('repository_id', '=', id))
    .execute();
}

/** The job that deletes the rest of a deleted, or never finished, repository. After an interruption it starts again. */
export async function removeRemains({ repositoryId }: { repositoryId: number }, context: Context): Promise<void> {
  const { db, git } = context;
  const row = await db.selectFrom('repositories').select(['id', 'state', 'avatar']).where('id', '=', repositoryId).executeTakeFirst();
  if (row?.state === 'ready') return;
  if (await isCleanupHeld(db)) {
    await context.jobs.add(context, 'repository.remove-folder', { repositoryId }, { delay: HELD_SECONDS });
    return;
  }
  // Its row may be deleted, and an interrupted move may have left files on another volume.
  for (const { name } of git.volumes.all) await git.volumes.requireAvailable(name);
  for (const folder of git.everywhere(repositoryId)) await deleteFolder(folder);
  if (row?.avatar) await context.storage.delete(avatarKey(row.avatar));
  await context.events.emit(context, 'repository.removing', { repositoryId });
  if (!row) return;
  await deleteReferring(context, 'repositories', [repositoryId]);
  await db.deleteFrom('repositories').where('id', '=', repositoryId).where('state', '=', 'deleting').execute();
}
