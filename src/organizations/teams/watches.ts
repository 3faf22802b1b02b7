import { sql } from 'kysely';
import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../database/database.ts';

/** How many repositories one statement counts: databases bound the parameters of a statement. */
const CHUNK = 500;

/**
 * Makes the members of a team watch its repositories, if the settings say that people watch what they get access to.
 * Users who watch or ignore a repository already stay unchanged.
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
          sql<number>`cast(${now()} as bigint)`.as('created_at'),
        ])
        .where('team_repositories.team_id', '=', teamId)
        .$if(userId !== undefined, (query) => query.where('team_members.user_id', '=', userId ?? 0))
        .$if(repositoryId !== undefined, (query) => query.where('team_repositories.repository_id', '=', repositoryId ?? 0)),
    )
    .onConflict((conflict) => conflict.columns(['repository_id', 'user_id']).doNothing())
    .returning('repository_id')
    .execute();
  await count(db, added, 1);
}

/**
 * Ends the watches of former members on public repositories of the organization. Private ones notify nobody without access, which a
 * collaborator keeps. A repository that was watched automatically is not watched automatically again.
 * @param teamIds teams whose private repositories are not watched any more either, even by collaborators
 */
export async function unwatchOrganization(
  { db }: Context,
  organizationId: number,
  userIds: readonly number[],
  teamIds: readonly number[] = [],
): Promise<void> {
  const owned = db
    .selectFrom('repositories')
    .select('id')
    .where('owner_id', '=', organizationId)
    .where((where) => {
      const open = where('is_private', '=', false);
      if (teamIds.length === 0) return open;
      return where.or([
        open,
        where('id', 'in', (of) => of.selectFrom('team_repositories').select('repository_id').where('team_id', 'in', teamIds)),
      ]);
    });
  for (let start = 0; start < userIds.length; start += CHUNK) {
    const users = userIds.slice(start, start + CHUNK);
    const ended = await db
      .deleteFrom('watches')
      .where('user_id', 'in', users)
      .where('repository_id', 'in', owned)
      .where('mode', '=', 'normal')
      .returning('repository_id')
      .execute();
    const ignored = await db
      .updateTable('watches')
      .set({ mode: 'ignored' })
      .where('user_id', 'in', users)
      .where('repository_id', 'in', owned)
      .where('mode', '=', 'auto')
      .returning('repository_id')
      .execute();
    await count(db, [...ended, ...ignored], -1);
  }
}

/** Updates the watch counts of the changed repositories. */
async function count(db: Db, changed: readonly { repository_id: number }[], by: 1 | -1): Promise<void> {
  const numbers = Map.groupBy(changed, (row) => row.repository_id);
  const byNumber = Map.groupBy(numbers.keys(), (id) => numbers.get(id)?.length ?? 0);
  for (const [number, ids] of byNumber) {
    for (let start = 0; start < ids.length; start += CHUNK) {
      await db
        .updateTable('repositories')
        .set((repositories) => ({ watchers_count: repositories('watchers_count', '+', by * number) }))
        .where('id', 'in', ids.slice(start, start + CHUNK))
        .execute();
    }
  }
}
