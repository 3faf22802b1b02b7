import { findRepositories } from '../../access/find-repository.ts';
import { repositoriesAccess, visibleRepositories } from '../../access/repository-access.ts';
import type { Context } from '../../context.ts';

/** Links that are checked; an object that the caller cannot read through any of these must be uploaded. */
const MAX_LINKS = 2000;

/** Finds those of these objects that are in a repository whose code the caller may read. */
export async function readableObjects(context: Context, objectIds: readonly number[]): Promise<Set<number>> {
  const { db, actor, signIn } = context;
  if (objectIds.length === 0) return new Set();
  const links = await db
    .selectFrom('lfs_links')
    .innerJoin('repositories', 'repositories.id', 'lfs_links.repository_id')
    .innerJoin('users', 'users.id', 'repositories.owner_id')
    .select(['lfs_links.object_id', 'lfs_links.repository_id'])
    .where('lfs_links.object_id', 'in', [...objectIds])
    .where(visibleRepositories(actor, { publicOnly: signIn.token?.publicOnly ?? false }))
    .limit(MAX_LINKS)
    .execute();
  const repositories = await findRepositories(
    db,
    links.map(({ repository_id }) => repository_id),
  );
  const access = await repositoriesAccess(context, repositories, actor);
  return new Set(links.filter(({ repository_id }) => access.get(repository_id)?.canRead('code')).map(({ object_id }) => object_id));
}
