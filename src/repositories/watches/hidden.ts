import type { Context } from '../../context.ts';
import type { StoredEvent } from '../../events/event-log.ts';
import { repositoriesAccess } from '../access.ts';
import { findRepositories } from '../find.ts';
import { unwatch } from './watches.ts';

/** Watches that are looked at in one go. */
const BATCH = 500;

/** Ends the watches of those who no longer see what they watch, so that nothing tells them of it (lesson 11). */
export async function endHiddenWatches({ payload }: StoredEvent<'access.reduced'>, context: Context): Promise<void> {
  let after = { user_id: 0, repository_id: 0 };
  for (;;) {
    const rows = await batchAfter(context, payload, after);
    const last = rows.at(-1);
    if (!last) return;
    for (const [userId, watches] of Map.groupBy(rows, (row) => row.user_id)) {
      await endHiddenOf(
        context,
        userId,
        watches.map(({ repository_id }) => repository_id),
      );
    }
    after = last;
  }
}

function batchAfter(
  { db }: Context,
  { ownerId, userIds, repositoryId }: StoredEvent<'access.reduced'>['payload'],
  after: { user_id: number; repository_id: number },
) {
  return db
    .selectFrom('watches')
    .innerJoin('repositories', 'repositories.id', 'watches.repository_id')
    .select(['watches.user_id', 'watches.repository_id'])
    .where('repositories.owner_id', '=', ownerId)
    .where('watches.mode', '!=', 'ignored')
    .$if(repositoryId !== undefined, (query) => query.where('repositories.id', '=', repositoryId ?? 0))
    .$if(userIds !== undefined, (query) => query.where('watches.user_id', 'in', userIds?.length ? userIds : [0]))
    .where((where) =>
      where.or([
        where('watches.user_id', '>', after.user_id),
        where.and([where('watches.user_id', '=', after.user_id), where('watches.repository_id', '>', after.repository_id)]),
      ]),
    )
    .orderBy('watches.user_id')
    .orderBy('watches.repository_id')
    .limit(BATCH)
    .execute();
}

async function endHiddenOf(context: Context, userId: number, repositoryIds: readonly number[]): Promise<void> {
  const user = await context.db.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirst();
  if (!user) return;
  const repositories = await findRepositories(context.db, repositoryIds);
  const access = await repositoriesAccess(context, repositories, user);
  for (const repository of repositories) {
    if (!access.get(repository.id)?.isVisible) await unwatch(context, repository, userId);
  }
}
