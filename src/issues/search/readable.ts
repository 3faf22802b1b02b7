import { type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import { visibleRepositories } from '../../access/repository-access.ts';
import { isCollaborator, isInTeam, isOpenToRestricted } from '../../access/repository-rights.ts';
import type { Context } from '../../context.ts';
import type { Team } from '../../database/tables/organizations.ts';
import type { UnitName } from '../../database/tables/repositories.ts';
import type { Tables } from '../../database/tables.ts';

/** Where a search looks; everywhere when both are left out. */
export interface SearchScope {
  ownerId?: number | undefined;
  team?: Team | undefined;
  /** Leaves out what is private, and what owners have that are not public: unless given, for tokens that are for public things. */
  publicOnly?: boolean | undefined;
}

type Where = ExpressionBuilder<Tables, 'repositories' | 'users'>;

/**
 * The repositories in which the caller may read issues, or another unit: the rules of access/repository-access.ts as a query, to be
 * narrowed and selected from. Of a private repository that is reached by teams alone, one of these has to have the unit.
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
