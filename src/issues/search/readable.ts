import { type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { Team } from '../../database/tables/organizations.ts';
import type { UnitName } from '../../database/tables/repositories.ts';
import type { Tables } from '../../database/tables.ts';
import { visibleRepositories } from '../../repositories/access.ts';

/** Where a search looks; everywhere when both are left out. */
export interface SearchPlace {
  ownerId?: number | undefined;
  team?: Team | undefined;
  /** Leaves out what is private, and what owners have that are not public: unless given, for tokens that are for public things. */
  publicOnly?: boolean | undefined;
}

type Where = ExpressionBuilder<Tables, 'repositories' | 'users'>;

/**
 * The repositories in which the caller may read issues, or another unit: the rules of repositories/access.ts as a query, to be
 * narrowed and selected from. Of a private repository that is reached by teams alone, one of these has to have the unit.
 */
export function readableRepositories({ db, doer, signIn }: Context, unit: UnitName, place: SearchPlace) {
  const { ownerId, team, publicOnly = signIn.token?.publicOnly ?? false } = place;
  return db
    .selectFrom('repositories')
    .innerJoin('users', 'users.id', 'repositories.owner_id')
    .where(visibleRepositories(doer, { publicOnly }))
    .where(sql<SqlBool>`repositories.units -> ${sql.lit(unit)} is not null`)
    .$if(doer !== null && !doer.is_admin, (repositories) => repositories.where((where) => reachesUnit(where, doer, unit)))
    .$if(ownerId !== undefined, (repositories) => repositories.where('repositories.owner_id', '=', ownerId ?? 0))
    .$if(team !== undefined && !team.includes_all_repositories, (repositories) =>
      repositories.where('repositories.id', 'in', (select) =>
        select
          .selectFrom('team_repositories')
          .select('repository_id')
          .where('team_id', '=', team?.id ?? 0),
      ),
    );
}

function reachesUnit(where: Where, doer: Context['doer'], unit: UnitName) {
  if (!doer) return where.lit(true);
  const open = doer.is_restricted
    ? where.and([
        where('repositories.is_private', '=', false),
        where('users.visibility', '=', 'public'),
        where('users.type', '=', 'individual'),
      ])
    : where('repositories.is_private', '=', false);
  const collaborator = where.exists(
    where
      .selectFrom('collaborations')
      .select(sql`1`.as('one'))
      .whereRef('collaborations.repository_id', '=', 'repositories.id')
      .where('collaborations.user_id', '=', doer.id),
  );
  const teamWithUnit = where.exists(
    where
      .selectFrom('team_members')
      .innerJoin('teams', 'teams.id', 'team_members.team_id')
      .leftJoin('team_repositories', (join) =>
        join.onRef('team_repositories.team_id', '=', 'teams.id').onRef('team_repositories.repository_id', '=', 'repositories.id'),
      )
      .leftJoin('team_units', (join) => join.onRef('team_units.team_id', '=', 'teams.id').on('team_units.unit', '=', unit))
      .select(sql`1`.as('one'))
      .where('team_members.user_id', '=', doer.id)
      .whereRef('team_members.organization_id', '=', 'repositories.owner_id')
      .where((inner) => inner.or([inner('teams.includes_all_repositories', '=', true), inner('team_repositories.team_id', 'is not', null)]))
      .where((inner) => inner.or([inner('teams.access_level', '>=', 3), inner('team_units.access_level', '>=', 1)])),
  );
  return where.or([open, where('repositories.owner_id', '=', doer.id), collaborator, teamWithUnit]);
}
