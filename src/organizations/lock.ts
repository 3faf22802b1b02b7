import type { Db } from '../database/database.ts';
import type { Team } from '../database/tables/organizations.ts';
import { notFound } from '../http/errors.ts';

/**
 * Locks the teams of an organization until the transaction of `db` ends: members, repositories and their counts depend on each other, and
 * two concurrent changes would make them wrong.
 */
export async function lockTeams(db: Db, organizationId: number): Promise<void> {
  await db
    .updateTable('users')
    .set((users) => ({ updated_at: users.ref('updated_at') }))
    .where('id', '=', organizationId)
    .execute();
}

/**
 * {@link lockTeams} for a change of one team; returns the current team.
 * @throws HttpError 404 when it was deleted meanwhile
 */
export async function lockTeam(db: Db, team: Pick<Team, 'id' | 'organization_id'>): Promise<Team> {
  await lockTeams(db, team.organization_id);
  const current = await db.selectFrom('teams').selectAll().where('id', '=', team.id).executeTakeFirst();
  if (!current) throw notFound();
  return current;
}
