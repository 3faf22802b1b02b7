import { sql } from 'kysely';
import { findRepository, findRepositoryOf, type Repository } from '../../access/find-repository.ts';
import { findUser } from '../../access/find-user.ts';
import { repositoryAccess } from '../../access/repository-access.ts';
import type { Context } from '../../context.ts';
import type { ComparisonRequest } from '../../git/history/compare.ts';
import { badRequest, notFound } from '../../http/errors.ts';

/** Maximum depth of forks of forks. */
const MAX_DEPTH = 10;

/**
 * The repository of the head of a comparison: the base itself, the named one, or the named owner's fork of the same origin. One that the
 * caller may not see is treated as if it did not exist.
 * @throws HttpError 400 if the owner has no such fork; 404
 */
export async function findHeadRepository(context: Context, base: Repository, request: ComparisonRequest): Promise<Repository> {
  const { headOwner, headRepository } = request;
  if (headOwner === '') {
    if (headRepository !== '') throw badRequest('head owner must be specified when head repo name is given');
    return base;
  }
  const owner = headOwner === base.owner.name ? base.owner : await findUser(context.db, headOwner);
  if (!owner) throw notFound();
  const found =
    headRepository !== ''
      ? await findRepositoryOf(context.db, owner, headRepository)
      : owner.id === base.owner_id
        ? base
        : await findFork(context, base, owner.id);
  const access = found && (await repositoryAccess(context, found, context.actor));
  if (!found || !access?.isVisible) {
    // A user who sees a private repository knows its forks, which are all private; nobody else learns that there is one.
    const isKnown = found && base.is_private && (headRepository === '' || found.fork_id === base.id);
    if (isKnown) throw notFound(null, "Can't read headRepo UnitTypeCode");
    if (headRepository !== '') throw notFound();
    throw badRequest(`the user ${owner.name} does not have a fork of the base repository`);
  }
  if (!access.canRead('code')) throw notFound(null, "Can't read headRepo UnitTypeCode");
  return found;
}

/** The repository of an owner that has the same origin as `base`, the one nearest to the origin first. */
async function findFork(context: Context, base: Repository, ownerId: number): Promise<Repository | undefined> {
  const { db } = context;
  const origins = await originsOf(context, base);
  const ancestor = origins.find(({ owner_id }) => owner_id === ownerId);
  if (ancestor) return findRepository(db, ancestor.id);
  const origin = origins.at(-1)?.id ?? base.id;
  const fork = await db
    .withRecursive('up', (query) =>
      query
        .selectFrom('repositories')
        .select(['repositories.id as start', 'repositories.fork_id as parent', sql<number>`1`.as('depth')])
        .where('owner_id', '=', ownerId)
        .where('fork_id', 'is not', null)
        .where('state', '=', 'ready')
        .unionAll(
          query
            .selectFrom('up')
            .innerJoin('repositories', 'repositories.id', 'up.parent')
            .select(['up.start', 'repositories.fork_id as parent', sql<number>`up.depth + 1`.as('depth')])
            .where('up.depth', '<', MAX_DEPTH),
        ),
    )
    .selectFrom('up')
    .select('up.start')
    .where('up.parent', '=', origin)
    .orderBy('up.depth')
    .orderBy('up.start')
    .limit(1)
    .executeTakeFirst();
  return fork && findRepository(db, fork.start);
}

/** The source of a fork, its source, and so on to the origin. */
async function originsOf({ db }: Context, base: Repository): Promise<{ id: number; owner_id: number }[]> {
  const origins: { id: number; owner_id: number }[] = [];
  let id = base.fork_id;
  while (id !== null && origins.length < MAX_DEPTH) {
    const row = await db.selectFrom('repositories').select(['id', 'owner_id', 'fork_id']).where('id', '=', id).executeTakeFirst();
    if (!row) break;
    origins.push({ id: row.id, owner_id: row.owner_id });
    id = row.fork_id;
  }
  return origins;
}
