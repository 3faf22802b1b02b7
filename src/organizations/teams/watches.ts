import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import { now } from '../../http/schema.ts';

/** How many repositories one statement counts: databases bound the parameters of a statement. */
const CHUNK = 500;

/**
 * Makes the members of a team watch its repositories, where the instance says that people watch what they get access to.
 * Who watches already, or said not to, stays as they are.
 * @param narrowed only this member, or this repository
 */
export async function watchForTeam(
  { db, settings }: Context,
  teamId: number,
  narrowed: { userId?: number; repositoryId?: number } = {},
): Promise<void> {
  if (!settings.users.autoWatchNewRepositories) return;
  const { userId, repositoryId } = narrowed;
  const added = await db
    .insertInto('watches')
    .columns(['repository_id', 'user_id', 'mode', 'created_at'])
    .expression((select) =>
      select
        .selectFrom('team_repositories')
        .innerJoin('team_members', 'team_members.team_id', 'team_repositories.team_id')
        .select([
          'team_repositories.repository_id',
          'team_members.user_id',
          sql<'normal'>`'normal'`.as('mode'),
          sql<number>`${sql.lit(now())}`.as('created_at'),
        ])
        .where('team_repositories.team_id', '=', teamId)
        .$if(userId !== undefined, (query) => query.where('team_members.user_id', '=', userId ?? 0))
        .$if(repositoryId !== undefined, (query) => query.where('team_repositories.repository_id', '=', repositoryId ?? 0)),
    )
    .onConflict((conflict) => conflict.columns(['repository_id', 'user_id']).doNothing())
    .returning('repository_id')
    .execute();
  await count(db, added);
}

/** Counts the new watches of each repository. */
async function count(db: Db, added: readonly { repository_id: number }[]): Promise<void> {
  const numbers = Map.groupBy(added, (row) => row.repository_id);
  const byNumber = Map.groupBy(numbers.keys(), (id) => numbers.get(id)?.length ?? 0);
  for (const [number, ids] of byNumber) {
    for (let start = 0; start < ids.length; start += CHUNK) {
      await db
        .updateTable('repositories')
        .set((repositories) => ({ watchers_count: repositories('watchers_count', '+', number) }))
        .where('id', 'in', ids.slice(start, start + CHUNK))
        .execute();
    }
  }
}
