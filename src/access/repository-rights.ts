import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { User } from '../database/tables/accounts.ts';
import type { UnitName } from '../database/tables/repositories.ts';
import type { Tables } from '../database/tables.ts';

type Where = ExpressionBuilder<Tables, 'repositories' | 'users'>;

/** The condition that a user is a collaborator of the row of `repositories`. */
export function isCollaborator(where: Where, { id }: User): Expression<SqlBool> {
  return where.exists(
    where
      .selectFrom('collaborations')
      .select(sql`1`.as('one'))
      .whereRef('collaborations.repository_id', '=', 'repositories.id')
      .where('collaborations.user_id', '=', id)
      .where('collaborations.access_level', '>', 0),
  );
}

/**
 * The condition that a team of the user has the row of `repositories`.
 * @param unit only teams that reach this unit count
 */
export function isInTeam(where: Where, { id }: User, unit?: UnitName): Expression<SqlBool> {
  let teams = where
    .selectFrom('team_members')
    .innerJoin('teams', 'teams.id', 'team_members.team_id')
    .leftJoin('team_repositories', (join) =>
      join.onRef('team_repositories.team_id', '=', 'teams.id').onRef('team_repositories.repository_id', '=', 'repositories.id'),
    )
    .select(sql`1`.as('one'))
    .where('team_members.user_id', '=', id)
    .whereRef('team_members.organization_id', '=', 'repositories.owner_id')
    .where((inner) => inner.or([inner('teams.includes_all_repositories', '=', true), inner('team_repositories.team_id', 'is not', null)]));
  if (unit) teams = teams.where((inner) => reachesUnit(inner, [unit]));
  return where.exists(teams);
}

/** The condition that the row of `teams` administers its repositories, or can read one of these units. */
export function reachesUnit(where: ExpressionBuilder<Tables, 'teams'>, units: readonly UnitName[]): Expression<SqlBool> {
  return where.or([
    where('teams.access_level', '>=', 3),
    where.exists(
      where
        .selectFrom('team_units')
        .select(sql`1`.as('one'))
        .whereRef('team_units.team_id', '=', 'teams.id')
        .where('team_units.unit', 'in', units)
        .where('team_units.access_level', '>=', 1),
    ),
  ]);
}

/** The condition that a restricted user sees the row of `repositories` without a right of their own: public, with a public owner. */
export function isOpenToRestricted(where: Where): Expression<SqlBool> {
  return where.and([where('repositories.is_private', '=', false), where('users.visibility', '=', 'public')]);
}
