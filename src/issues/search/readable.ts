import { type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import { visibleRepositories } from '../../access/repository-access.ts';
import { isCollaborator, isInTeam, isOpenToRestricted } from '../../access/repository-rights.ts';
import type { Context } from '../../context.ts';
import type { Team } from '../../database/tables/organizations.ts';
import type { UnitName } from '../../database/tables/repositories.ts';
import type { Tables } from '../../database/tables.ts';

/** The scope of a search; everything when both are left out. */
export interface SearchScope {
  ownerId?: number | undefined;
  team?: Team | undefined;
  /** Leaves out private repositories, and those of owners that are not public; by default, for tokens limited to public resources. */
  publicOnly?: boolean | undefined;
}

type Where = ExpressionBuilder<Tables, 'repositories' | 'users'>;

/**
 * A query for the repositories in which the caller may read issues, or another unit: the rules of access/repository-access.ts, to be
 * refined. For a private repository that is accessible only through teams, one of these has to have the unit.
 */
export function readableRepositories({ db, actor, signIn }: Context, unit: UnitName, scope: SearchScope) {
  const { ownerId, team, publicOnly = signIn.token?.publicOnly ?? false } = scope;
  return db
    .selectFrom('repositories')
    .innerJoin('users', 'users.id', 'repositories.owner_id')
    .where(visibleRepositories(actor, { publicOnly }))
    .where(sql<SqlBool>`repositories.units -> ${sql.lit(unit)} is not null`)
    .$if(actor !== null && !actor.is_admin, (repositories) => repositories.where((where) => reachesUnit(where, actor, unit)))
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

function reachesUnit(where: Where, actor: Context['actor'], unit: UnitName) {
  if (!actor) return where.lit(true);
  const open = actor.is_restricted ? isOpenToRestricted(where) : where('repositories.is_private', '=', false);
  const own = where('repositories.owner_id', '=', actor.id);
  return where.or([open, own, isCollaborator(where, actor), isInTeam(where, actor, unit)]);
}
