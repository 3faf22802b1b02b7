import { setImmediate } from 'node:timers/promises';
import type { AliasableExpression } from 'kysely';
import { findRepositories, type Repository } from '../access/find-repository.ts';
import { findUsersById } from '../access/find-user.ts';
import { type RepositoryAccess, repositoriesAccess } from '../access/repository-access.ts';
import type { Context } from '../context.ts';
import type { User } from '../database/tables/accounts.ts';
import type { Events } from '../events/events.ts';

/** Something of a user's that has to do with a repository. */
export interface Tie {
  user_id: number;
  repository_id: number;
}

/** Ties that are looked at in one go. */
const BATCH = 500;

/**
 * Looks through what ties users to the repositories in which they may have lost access.
 * @param ties a query of the ties; the same one may come several times
 * @param look is called once for each user and repository, with what the user may do there now
 */
export async function lookThroughTies(
  context: Context,
  { ownerId, userIds, repositoryId }: Events['access.reduced'],
  ties: AliasableExpression<Tie>,
  look: (user: User, repository: Repository, access: RepositoryAccess) => Promise<void>,
): Promise<void> {
  for (let after: Tie = { user_id: 0, repository_id: 0 }; ; ) {
    const batch = await context.db
      .selectFrom(ties.as('ties'))
      .innerJoin('repositories', 'repositories.id', 'ties.repository_id')
      .select(['ties.user_id', 'ties.repository_id'])
      .distinct()
      .where('repositories.owner_id', '=', ownerId)
      .$if(repositoryId !== undefined, (query) => query.where('repositories.id', '=', repositoryId ?? 0))
      .$if(userIds !== undefined, (query) => query.where('ties.user_id', 'in', userIds?.length ? userIds : [0]))
      .where((where) =>
        where.or([
          where('ties.user_id', '>', after.user_id),
          where.and([where('ties.user_id', '=', after.user_id), where('ties.repository_id', '>', after.repository_id)]),
        ]),
      )
      .orderBy('ties.user_id')
      .orderBy('ties.repository_id')
      .limit(BATCH)
      .execute();
    const last = batch.at(-1);
    if (!last) return;
    await lookThrough(context, batch, look);
    after = last;
  }
}

async function lookThrough(context: Context, batch: readonly Tie[], look: Parameters<typeof lookThroughTies>[3]): Promise<void> {
  const users = await findUsersById(
    context.db,
    batch.map((tie) => tie.user_id),
  );
  for (const [userId, ties] of Map.groupBy(batch, (tie) => tie.user_id)) {
    const user = users.get(userId);
    if (!user) continue;
    // Others get their turn between two users.
    await setImmediate();
    const repositories = await findRepositories(
      context.db,
      ties.map((tie) => tie.repository_id),
    );
    const access = await repositoriesAccess(context, repositories, user);
    for (const repository of repositories) {
      const own = access.get(repository.id);
      if (own) await look(user, repository, own);
    }
  }
}
