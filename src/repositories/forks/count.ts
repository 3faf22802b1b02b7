import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import { conflict, notFound } from '../../http/errors.ts';

/**
 * Counts a new fork, in the transaction that inserts its row. The source's row is locked from here on, so that of two
 * forks for one owner only one is created, and a source that becomes private or is deleted includes its forks. Returns whether the source is
 * private now.
 * @throws HttpError 404 when the source was deleted, 409 when the owner has a fork of it
 */
export async function countFork(context: Context, sourceId: number, owner: User): Promise<boolean> {
  const { db } = context;
  const source = await db
    .updateTable('repositories')
    .set((repositories) => ({ forks_count: repositories('forks_count', '+', 1) }))
    .where('id', '=', sourceId)
    .where('state', '=', 'ready')
    .returning(['owner_id', 'name', 'is_private'])
    .executeTakeFirst();
  if (!source) throw notFound();
  const sourceOwner = await db
    .selectFrom('users')
    .select(['name', 'visibility'])
    .where('id', '=', source.owner_id)
    .executeTakeFirstOrThrow();
  await requireUnforked(context, { id: sourceId, name: source.name, owner: sourceOwner }, owner);
  return source.is_private || sourceOwner.visibility === 'private';
}

/** @throws HttpError 409 when the owner has a fork of the source */
export async function requireUnforked(
  { db }: Pick<Context, 'db'>,
  source: { id: number; name: string; owner: Pick<User, 'name'> },
  owner: User,
): Promise<void> {
  const fork = await db
    .selectFrom('repositories')
    .select('name')
    .where('fork_id', '=', source.id)
    .where('owner_id', '=', owner.id)
    .where('state', '!=', 'deleting')
    .executeTakeFirst();
  if (!fork) return;
  const names = `repo path: ${source.owner.name}/${source.name}, fork path: ${owner.name}/${fork.name}`;
  throw conflict(`repository is already forked by user [uname: ${owner.name}, ${names}]`);
}

/** A fork was deleted, or is none any more. */
export async function uncountFork({ db }: Context, { fork_id: sourceId }: { fork_id: number | null }): Promise<void> {
  if (sourceId === null) return;
  await db
    .updateTable('repositories')
    .set((repositories) => ({ forks_count: repositories('forks_count', '-', 1) }))
    .where('id', '=', sourceId)
    .execute();
}
