import { setImmediate } from 'node:timers/promises';
import type { AliasableExpression } from 'kysely';
import { accessOfUsers } from '../access/access-of-users.ts';
import { findRepositories, type Repository } from '../access/find-repository.ts';
import { findUsersById } from '../access/find-user.ts';
import { type RepositoryAccess, repositoriesAccess } from '../access/repository-access.ts';
import type { Context } from '../context.ts';
import type { User } from '../database/tables/accounts.ts';
import type { Events } from '../events/events.ts';

/** A row that links a user to a repository, such as a watch. */
export interface UserLink {
  user_id: number;
  repository_id: number;
}

/** A user whom rows link to a repository, with the access to it. */
export interface LinkedUser {
  readonly user: User;
  readonly access: RepositoryAccess;
}

type Recheck = (repository: Repository, linked: readonly LinkedUser[]) => Promise<void>;

/** How many links are read at once. */
const BATCH = 500;

/**
 * Checks the access of users to the repositories that rows link them to and that they may have lost access to.
 * @param links a query of the links; it may return one several times
 * @param recheck called with users of one repository and their current access to it
 */
export async function recheckAccess(
  context: Context,
  { ownerId, userIds, repositoryId }: Events['access.reduced'],
  links: AliasableExpression<UserLink>,
  recheck: Recheck,
): Promise<void> {
  for (let after: UserLink = { user_id: 0, repository_id: 0 }; ; ) {
    const batch = await context.db
      .selectFrom(links.as('links'))
      .innerJoin('repositories', 'repositories.id', 'links.repository_id')
      .select(['links.user_id', 'links.repository_id'])
      .distinct()
      .$if(ownerId !== undefined, (query) => query.where('repositories.owner_id', '=', ownerId ?? 0))
      .$if(repositoryId !== undefined, (query) => query.where('repositories.id', '=', repositoryId ?? 0))
      .$if(userIds !== undefined, (query) => query.where('links.user_id', 'in', userIds?.length ? userIds : [0]))
      .where((where) =>
        where.or([
          where('links.user_id', '>', after.user_id),
          where.and([where('links.user_id', '=', after.user_id), where('links.repository_id', '>', after.repository_id)]),
        ]),
      )
      .orderBy('links.user_id')
      .orderBy('links.repository_id')
      .limit(BATCH)
      .execute();
    const last = batch.at(-1);
    if (!last) return;
    await recheckBatch(context, batch, recheck);
    after = last;
  }
}

async function recheckBatch(context: Context, batch: readonly UserLink[], recheck: Recheck): Promise<void> {
  const users = await findUsersById(
    context.db,
    batch.map((link) => link.user_id),
  );
  const repositories = await findRepositories(context.db, [...new Set(batch.map((link) => link.repository_id))]);
  const known = new Map(repositories.map((repository) => [repository.id, repository]));
  const links = batch.flatMap(({ user_id: userId, repository_id: id }): Link[] => {
    const [user, repository] = [users.get(userId), known.get(id)];
    return user && repository ? [{ user, repository }] : [];
  });
  const byRepository = Map.groupBy(links, ({ repository }) => repository);
  const byUser = Map.groupBy(links, ({ user }) => user);
  const accessOf = byUser.size < byRepository.size ? await accessByUser(context, byUser) : await accessByRepository(context, byRepository);
  for (const [repository, own] of byRepository) {
    // Other requests run between two repositories.
    await setImmediate();
    const linked = own.flatMap(({ user }): LinkedUser[] => {
      const access = accessOf(user, repository);
      return access ? [{ user, access }] : [];
    });
    await recheck(repository, linked);
  }
}

interface Link {
  readonly user: User;
  readonly repository: Repository;
}

type AccessOf = (user: User, repository: Repository) => RepositoryAccess | undefined;

/** The access of few users to many repositories. */
async function accessByUser(context: Context, links: ReadonlyMap<User, readonly Link[]>): Promise<AccessOf> {
  const found = new Map<User, ReadonlyMap<number, RepositoryAccess>>();
  for (const [user, own] of links) {
    const repositories = own.map(({ repository }) => repository);
    found.set(user, await repositoriesAccess(context, repositories, user));
  }
  return (user, { id }) => found.get(user)?.get(id);
}

/** The access of many users to few repositories. */
async function accessByRepository(context: Context, links: ReadonlyMap<Repository, readonly Link[]>): Promise<AccessOf> {
  const found = new Map<Repository, ReadonlyMap<number, RepositoryAccess>>();
  for (const [repository, own] of links) {
    const users = own.map(({ user }) => user);
    found.set(repository, await accessOfUsers(context, repository, users));
  }
  return ({ id }, repository) => found.get(repository)?.get(id);
}
