import { setImmediate } from 'node:timers/promises';
import type { AliasableExpression } from 'kysely';
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

/** How many links are read at once. */
const BATCH = 500;

/**
 * Checks the access of users to the repositories that rows link them to and that they may have lost access to.
 * @param links a query of the links; it may return one several times
 * @param recheck called once for each user and repository, with the user's current access
 */
export async function recheckAccess(
  context: Context,
  { ownerId, userIds, repositoryId }: Events['access.reduced'],
  links: AliasableExpression<UserLink>,
  recheck: (user: User, repository: Repository, access: RepositoryAccess) => Promise<void>,
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

async function recheckBatch(context: Context, batch: readonly UserLink[], recheck: Parameters<typeof recheckAccess>[3]): Promise<void> {
  const users = await findUsersById(
    context.db,
    batch.map((link) => link.user_id),
  );
  for (const [userId, links] of Map.groupBy(batch, (link) => link.user_id)) {
    const user = users.get(userId);
    if (!user) continue;
    // Other requests run between two users.
    await setImmediate();
    const repositories = await findRepositories(
      context.db,
      links.map((link) => link.repository_id),
    );
    const access = await repositoriesAccess(context, repositories, user);
    for (const repository of repositories) {
      const own = access.get(repository.id);
      if (own) await recheck(user, repository, own);
    }
  }
}
