import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { Context } from '../context.ts';
import type { Db } from '../database/database.ts';
import type { User } from '../database/tables/accounts.ts';
import type { AccessLevel, UnitName, Units } from '../database/tables/repositories.ts';
import type { Tables } from '../database/tables.ts';
import { isVisibleTo } from '../organizations/visibility.ts';
import type { Repository } from './find.ts';

/**
 * What somebody may do in a repository. Computed here and nowhere else, from one query:
 * the owner's visibility, collaboration, teams by unit, and what the units themselves open to the public.
 */
export class RepositoryAccess {
  /** In the repository as a whole; units follow it unless a team says otherwise. */
  readonly level: AccessLevel;
  readonly #units: Units;
  readonly #teamLevels: ReadonlyMap<UnitName, AccessLevel> | undefined;
  readonly #publicLevels: ReadonlyMap<UnitName, AccessLevel>;

  constructor(
    level: AccessLevel,
    units: Units,
    publicLevels: ReadonlyMap<UnitName, AccessLevel>,
    teamLevels?: ReadonlyMap<UnitName, AccessLevel>,
  ) {
    this.level = level;
    this.#units = units;
    this.#publicLevels = publicLevels;
    this.#teamLevels = teamLevels;
  }

  get isOwner(): boolean {
    return this.level >= 4;
  }

  get isAdmin(): boolean {
    return this.level >= 3;
  }

  /** What is allowed in this unit; 0 also when the unit is off. */
  unitLevel(unit: UnitName): AccessLevel {
    const fromTeam = this.#teamLevels?.get(unit);
    if (fromTeam !== undefined) return this.isAdmin ? this.level : fromTeam;
    if (!this.#units[unit]) return 0;
    return Math.max(this.level, this.#publicLevels.get(unit) ?? 0) as AccessLevel;
  }

  canRead(unit: UnitName): boolean {
    return this.unitLevel(unit) >= 1;
  }

  canWrite(unit: UnitName): boolean {
    return this.unitLevel(unit) >= 2;
  }

  /** Whether any unit can be read by right, not only because it is open to the public. */
  get hasAnyUnit(): boolean {
    if (this.#teamLevels) for (const level of this.#teamLevels.values()) if (level >= 1) return true;
    return this.level >= 1;
  }

  /** Whether the repository exists for this caller at all. */
  get isVisible(): boolean {
    return this.hasAnyUnit || this.#publicLevels.size > 0;
  }

  /** The highest level in any unit: what the collaborator's `permission` says. */
  get highest(): AccessLevel {
    return Math.max(this.level, ...(this.#teamLevels?.values() ?? [])) as AccessLevel;
  }
}

/** No access at all. */
export function noAccess(repository: Repository): RepositoryAccess {
  return new RepositoryAccess(0, repository.units, new Map());
}

/** What `doer` (null for an anonymous caller) may do in the repository. */
export async function repositoryAccess(
  context: Pick<Context, 'db' | 'settings'>,
  repository: Repository,
  doer: User | null,
): Promise<RepositoryAccess> {
  const open = publicLevels(context, repository.units, doer);
  const access = (level: AccessLevel, teams?: ReadonlyMap<UnitName, AccessLevel>) =>
    new RepositoryAccess(level, repository.units, open, teams);
  const { owner } = repository;
  if (!doer) return access(!repository.is_private && owner.visibility === 'public' ? 1 : 0);
  if (doer.is_admin || doer.id === owner.id) return access(4);

  const rights = await rightsOf(context.db, repository, doer);
  const ownerVisible = isVisibleTo(owner, doer, rights.isMember, context.settings.access.requireSignInView);
  if (!ownerVisible && rights.collaboration === 0) return access(0);
  const fullyPublic = !repository.is_private && owner.visibility === 'public' && !context.settings.access.requireSignInView;
  const free: AccessLevel = (doer.is_restricted ? fullyPublic && owner.type === 'individual' : !repository.is_private) ? 1 : 0;
  const level = Math.max(free, rights.collaboration) as AccessLevel;
  if (rights.teams.length === 0) return access(level);
  if (rights.teams.some((team) => team.level >= 3)) return access(4);

  const minimum: AccessLevel = !repository.is_private && !doer.is_restricted ? 1 : 0;
  const levels = new Map<UnitName, AccessLevel>();
  for (const unit of Object.keys(repository.units) as UnitName[]) {
    const given = rights.teams.filter((team) => team.unit === unit).map((team) => team.unitLevel);
    levels.set(unit, Math.max(minimum, rights.collaboration, ...given) as AccessLevel);
  }
  return access(level, levels);
}

function publicLevels({ settings }: Pick<Context, 'settings'>, units: Units, doer: User | null): Map<UnitName, AccessLevel> {
  const levels = new Map<UnitName, AccessLevel>();
  if (settings.repository.forcePrivate) return levels;
  for (const [unit, { anonymousAccess = 0, everyoneAccess = 0 }] of Object.entries(units)) {
    const level = Math.max(anonymousAccess, doer ? everyoneAccess : 0) as AccessLevel;
    if (level > 0) levels.set(unit as UnitName, level);
  }
  return levels;
}

interface Rights {
  collaboration: AccessLevel;
  isMember: boolean;
  /** A row for each unit of each of the user's teams that has the repository. */
  teams: { level: AccessLevel; unit: UnitName | null; unitLevel: AccessLevel }[];
}

/** Everything that gives a user a right in one repository, in one query. */
async function rightsOf(db: Db, repository: Repository, user: User): Promise<Rights> {
  const collaboration = db
    .selectFrom('collaborations')
    .select([
      sql<string>`'collaboration'`.as('kind'),
      'access_level as level',
      sql<string | null>`null`.as('unit'),
      sql<AccessLevel>`0`.as('unit_level'),
    ])
    .where('repository_id', '=', repository.id)
    .where('user_id', '=', user.id);
  const rows =
    repository.owner.type === 'individual'
      ? await collaboration.execute()
      : await collaboration
          .unionAll(
            db
              .selectFrom('organization_members')
              .select([
                sql<string>`'member'`.as('kind'),
                sql<AccessLevel>`0`.as('level'),
                sql<string | null>`null`.as('unit'),
                sql<AccessLevel>`0`.as('unit_level'),
              ])
              .where('organization_id', '=', repository.owner_id)
              .where('user_id', '=', user.id),
          )
          .unionAll(
            db
              .selectFrom('team_members')
              .innerJoin('teams', 'teams.id', 'team_members.team_id')
              .leftJoin('team_units', 'team_units.team_id', 'teams.id')
              .select([
                sql<string>`'team'`.as('kind'),
                'teams.access_level as level',
                'team_units.unit',
                sql<AccessLevel>`coalesce(team_units.access_level, 0)`.as('unit_level'),
              ])
              .where('team_members.user_id', '=', user.id)
              .where('team_members.organization_id', '=', repository.owner_id)
              .where((where) => where.or([where('teams.includes_all_repositories', '=', true), teamHas(where, repository.id)])),
          )
          .execute();
  return {
    collaboration: rows.find((row) => row.kind === 'collaboration')?.level ?? 0,
    isMember: rows.some((row) => row.kind === 'member'),
    teams: rows
      .filter((row) => row.kind === 'team')
      .map((row) => ({ level: row.level, unit: row.unit as UnitName | null, unitLevel: row.unit_level })),
  };
}

function teamHas(where: ExpressionBuilder<Tables, 'teams'>, repositoryId: number): Expression<SqlBool> {
  return where.exists(
    where
      .selectFrom('team_repositories')
      .select(sql`1`.as('one'))
      .whereRef('team_repositories.team_id', '=', 'teams.id')
      .where('team_repositories.repository_id', '=', repositoryId),
  );
}

/**
 * The condition under which rows of `repositories` (joined with their owner as `users`) exist for `doer`:
 * the same rules as {@link repositoryAccess}, for lists and searches.
 */
export function visibleRepositories(doer: User | null, options: { publicOnly?: boolean } = {}) {
  return (where: ExpressionBuilder<Tables, 'repositories' | 'users'>): Expression<SqlBool> => {
    const ready = where('repositories.state', '=', 'ready');
    const notPrivate = options.publicOnly ? [where('repositories.is_private', '=', false), where('users.visibility', '=', 'public')] : [];
    if (doer?.is_admin) return where.and([ready, ...notPrivate]);
    const open = where('repositories.is_private', '=', false);
    if (!doer) return where.and([ready, ...notPrivate, open, where('users.visibility', '=', 'public')]);
    const member = where.exists(
      where
        .selectFrom('organization_members')
        .select(sql`1`.as('one'))
        .whereRef('organization_members.organization_id', '=', 'repositories.owner_id')
        .where('organization_members.user_id', '=', doer.id),
    );
    const openTo = doer.is_restricted
      ? where.and([open, where('users.visibility', '=', 'public'), where('users.type', '=', 'individual')])
      : where.and([open, where.or([where('users.visibility', '!=', 'private'), member])]);
    const collaborator = where.exists(
      where
        .selectFrom('collaborations')
        .select(sql`1`.as('one'))
        .whereRef('collaborations.repository_id', '=', 'repositories.id')
        .where('collaborations.user_id', '=', doer.id),
    );
    const inTeam = where.exists(
      where
        .selectFrom('team_members')
        .innerJoin('teams', 'teams.id', 'team_members.team_id')
        .leftJoin('team_repositories', (join) =>
          join.onRef('team_repositories.team_id', '=', 'teams.id').onRef('team_repositories.repository_id', '=', 'repositories.id'),
        )
        .select(sql`1`.as('one'))
        .where('team_members.user_id', '=', doer.id)
        .whereRef('team_members.organization_id', '=', 'repositories.owner_id')
        .where((inner) =>
          inner.or([inner('teams.includes_all_repositories', '=', true), inner('team_repositories.team_id', 'is not', null)]),
        ),
    );
    return where.and([ready, ...notPrivate, where.or([openTo, where('repositories.owner_id', '=', doer.id), collaborator, inTeam])]);
  };
}
