import { findRepositories, findRepositoryOf, type Repository } from '../../access/find-repository.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { Events } from '../../events/events.ts';
import { notFound, unprocessable } from '../../http/errors.ts';

/** Maximum number of repositories that an owner shares. */
const MAX_SHARED = 500;

/** The repositories that the jobs of all repositories of an owner read, by name. */
export async function listSharedRepositories({ db }: Pick<Context, 'db'>, ownerId: number): Promise<Repository[]> {
  const rows = await db
    .selectFrom('action_shared_repositories')
    .select('repository_id')
    .where('owner_id', '=', ownerId)
    .limit(MAX_SHARED)
    .execute();
  const repositories = await findRepositories(
    db,
    rows.map(({ repository_id: id }) => id),
  );
  return repositories.sort((a, b) => a.name.localeCompare(b.name));
}

/**
 * Lets the jobs of all repositories of an owner read one of them.
 * @param name of the repository, with or without its owner
 * @throws HttpError 422
 */
export async function shareRepository(context: Context, owner: User, name: string): Promise<void> {
  await inTransaction(context, async ({ db }) => {
    const [named, ownerName] = name.trim().split('/').reverse();
    const isOwners = ownerName === undefined || ownerName.toLowerCase() === owner.lower_name;
    const repository = isOwners ? await findRepositoryOf(db, owner, named ?? '') : undefined;
    if (!repository) throw unprocessable(`[repository]: ${owner.name} has no repository of this name`);
    const { shared } = await db
      .selectFrom('action_shared_repositories')
      .select((select) => select.fn.countAll<number>().as('shared'))
      .where('owner_id', '=', owner.id)
      .executeTakeFirstOrThrow();
    if (Number(shared) >= MAX_SHARED) throw unprocessable(`[repository]: an owner shares at most ${MAX_SHARED} repositories`);
    const row = { repository_id: repository.id, owner_id: owner.id };
    await db
      .insertInto('action_shared_repositories')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
}

/** @throws HttpError 404 */
export async function unshareRepository(context: Context, owner: User, repositoryId: number): Promise<void> {
  await inTransaction(context, async ({ db }) => {
    const removed = await db
      .deleteFrom('action_shared_repositories')
      .where('repository_id', '=', repositoryId)
      .where('owner_id', '=', owner.id)
      .executeTakeFirst();
    if (removed.numDeletedRows === 0n) throw notFound();
  });
}

/** Removes the sharing of a transferred repository: its new owner has not agreed to it. */
export async function unshareTransferred({ repositoryId }: Events['repository.transferred'], { db }: Context): Promise<void> {
  await db.deleteFrom('action_shared_repositories').where('repository_id', '=', repositoryId).execute();
  await db.deleteFrom('action_collaborative_owners').where('repository_id', '=', repositoryId).execute();
}
