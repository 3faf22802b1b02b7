import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { Context, JobGrant } from '../context.ts';
import type { User } from '../database/tables/accounts.ts';
import type { AccessLevel, UnitName, UnitSettings, Units } from '../database/tables/repositories.ts';
import type { Tables } from '../database/tables.ts';
import { isPublicRepository, type Repository } from './find-repository.ts';
import { jobLevelsIn } from './job-access.ts';
import { isVisibleTo } from './organization-visibility.ts';
import { isCollaborator, isInTeam, isOpenToRestricted } from './repository-rights.ts';
import { NO_RIGHTS, type Rights, rightsIn } from './rights.ts';

/**
 * The access of a caller to a repository. Computed here and nowhere else, from one query:
 * the owner's visibility, collaboration, teams by unit, and what the units themselves allow the public.
 */
export class RepositoryAccess {
  /** The level in the whole repository; units have it unless a team says otherwise. */
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

  /** The level in this unit; 0 also when the unit is disabled. */
  unitLevel(unit: UnitName): AccessLevel {
    const fromTeam = this.#teamLevels?.get(unit);
    if (fromTeam === undefined && !this.#units[unit]) return 0;
    const own = fromTeam === undefined || this.isAdmin ? this.level : fromTeam;
    // Nobody has less than the public, whatever their teams have.
    return Math.max(own, this.#publicLevels.get(unit) ?? 0) as AccessLevel;
  }

  canRead(unit: UnitName): boolean {
    return this.unitLevel(unit) >= 1;
  }

  canWrite(unit: UnitName): boolean {
    return this.unitLevel(unit) >= 2;
  }

  /** Whether the caller has a right to read any unit, beyond what is public. */
  get hasAnyUnit(): boolean {
    if (this.#teamLevels) for (const level of this.#teamLevels.values()) if (level >= 1) return true;
    return this.level >= 1;
  }

  /** Whether the caller may see the repository at all. */
  get isVisible(): boolean {
    return this.hasAnyUnit || this.#publicLevels.size > 0;
  }

  /** The highest level in any unit: the collaborator's `permission` in the API. */
  get highest(): AccessLevel {
    return Math.max(this.level, ...(this.#teamLevels?.values() ?? [])) as AccessLevel;
  }
}

/** No access at all. */
export function noAccess(repository: Repository): RepositoryAccess {
  return new RepositoryAccess(0, repository.units, new Map());
}

/** The access of an owner, for every caller. */
export function ownerAccess(repository: Repository): RepositoryAccess {
  return new RepositoryAccess(4, repository.units, new Map());
}

/** The access of a deploy key: to read, or to write. */
export function keyAccess(repository: Repository, canWrite: boolean): RepositoryAccess {
  return new RepositoryAccess(canWrite ? 2 : 1, repository.units, new Map());
}

/** The context in which access is computed, with the caller if there is one. */
type Asking = Pick<Context, 'db' | 'settings'> & Partial<Pick<Context, 'actor' | 'signIn'>>;

/**
 * The access of `actor` (null for an anonymous caller) to the repository. None to a private one for a caller whose token is limited to
 * public resources.
 */
export async function repositoryAccess(context: Asking, repository: Repository, actor: User | null): Promise<RepositoryAccess> {
  return isOutOfReach(context, repository, actor) ? noAccess(repository) : accountAccess(context, repository, actor);
}

/** {@link repositoryAccess} without the limits of the token: for callers that refuse a token with their own message. */
export async function accountAccess(context: Asking, repository: Repository, actor: User | null): Promise<RepositoryAccess> {
  const job = jobOf(context, actor);
  if (job) return (await jobAccess(context, [repository], actor, job))(repository);
  if (!actor || actor.is_admin || actor.id === repository.owner_id) return accessWith(context, repository, actor, NO_RIGHTS);
  const rights = await rightsIn(context.db, [repository], actor);
  return accessWith(context, repository, actor, rights(repository));
}

/** {@link repositoryAccess} for a list of repositories, by their ids, with at most one query. */
export async function repositoriesAccess(
  context: Asking,
  repositories: readonly Repository[],
  actor: User | null,
): Promise<Map<number, RepositoryAccess>> {
  const job = jobOf(context, actor);
  if (job) {
    const access = await jobAccess(context, repositories, actor, job);
    return new Map(repositories.map((repository) => [repository.id, access(repository)]));
  }
  const others = actor && !actor.is_admin ? repositories.filter((repository) => repository.owner_id !== actor.id) : [];
  const rights = actor && others.length > 0 ? await rightsIn(context.db, others, actor) : () => NO_RIGHTS;
  const access = (repository: Repository) =>
    isOutOfReach(context, repository, actor) ? noAccess(repository) : accessWith(context, repository, actor, rights(repository));
  return new Map(repositories.map((repository) => [repository.id, access(repository)]));
}

/** The job that the caller signed in as, if `actor` is the caller. */
function jobOf({ actor: caller, signIn }: Asking, actor: User | null): JobGrant | undefined {
  return actor !== null && actor.id === caller?.id ? signIn?.job : undefined;
}

/** The access of a job: what its token allows, and reading what is public; in its own repository everything that is public. */
async function jobAccess(
  context: Asking,
  repositories: readonly Repository[],
  actor: User | null,
  job: JobGrant,
): Promise<(repository: Repository) => RepositoryAccess> {
  const levelsIn = await jobLevelsIn(context.db, repositories, job);
  return (repository) => {
    const [levels, open] = [levelsIn(repository), accessWith(context, repository, actor, NO_RIGHTS)];
    const most = repository.id === job.repositoryId ? 4 : 1;
    const units = (Object.keys(repository.units) as UnitName[]).map(
      (unit) => [unit, Math.max(levels.get(unit) ?? 0, Math.min(open.unitLevel(unit), most)) as AccessLevel] as const,
    );
    return new RepositoryAccess(0, repository.units, new Map(), new Map(units));
  };
}

function isOutOfReach({ actor: caller, signIn }: Asking, repository: Repository, actor: User | null): boolean {
  return !isPublicRepository(repository) && (signIn?.token?.publicOnly ?? false) && actor !== null && actor.id === caller?.id;
}

/** The access that follows from these rights. */
export function accessWith(
  context: Pick<Context, 'settings'>,
  repository: Repository,
  actor: User | null,
  rights: Rights,
): RepositoryAccess {
  const open = publicLevels(context, repository.units, actor);
  const access = (level: AccessLevel, teams?: ReadonlyMap<UnitName, AccessLevel>) =>
    new RepositoryAccess(level, repository.units, open, teams);
  const { owner } = repository;
  if (!actor) return access(!repository.is_private && owner.visibility === 'public' ? 1 : 0);
  if (actor.is_admin || actor.id === owner.id) return access(4);

  const ownerVisible = isVisibleTo(owner, actor, rights.isMember, context.settings.access.requireSignInView);
  if (!ownerVisible && rights.collaboration === 0) return access(0);
  const fullyPublic = !repository.is_private && owner.visibility === 'public' && !context.settings.access.requireSignInView;
  const free: AccessLevel = (actor.is_restricted ? fullyPublic : !repository.is_private) ? 1 : 0;
  const level = Math.max(free, rights.collaboration) as AccessLevel;
  if (rights.teams.length === 0) return access(level);
  if (rights.teams.some((team) => team.level >= 3)) return access(4);

  const minimum: AccessLevel = !repository.is_private && !actor.is_restricted ? 1 : 0;
  const levels = new Map<UnitName, AccessLevel>();
  for (const unit of Object.keys(repository.units) as UnitName[]) {
    const given = rights.teams.filter((team) => team.unit === unit).map((team) => team.unitLevel);
    levels.set(unit, Math.max(minimum, rights.collaboration, ...given) as AccessLevel);
  }
  return access(level, levels);
}

function publicLevels({ settings }: Pick<Context, 'settings'>, units: Units, actor: User | null): Map<UnitName, AccessLevel> {
  const levels = new Map<UnitName, AccessLevel>();
  if (settings.repository.forcePrivate) return levels;
  for (const [unit, { anonymousAccess = 0, everyoneAccess = 0 }] of Object.entries(units) as [UnitName, UnitSettings][]) {
    const level = Math.max(anonymousAccess, actor ? everyoneAccess : 0) as AccessLevel;
    if (level > 0) levels.set(unit, level);
  }
  return levels;
}

/**
 * The condition that `actor` may see rows of `repositories` (joined with their owner as `users`):
 * the same rules as {@link repositoryAccess}, for lists and searches.
 */
export function visibleRepositories(actor: User | null, options: { publicOnly?: boolean } = {}) {
  return (where: ExpressionBuilder<Tables, 'repositories' | 'users'>): Expression<SqlBool> => {
    const ready = where('repositories.state', '=', 'ready');
    const notPrivate = options.publicOnly ? [where('repositories.is_private', '=', false), where('users.visibility', '=', 'public')] : [];
    if (actor?.is_admin) return where.and([ready, ...notPrivate]);
    const open = where('repositories.is_private', '=', false);
    if (!actor) return where.and([ready, ...notPrivate, open, where('users.visibility', '=', 'public')]);
    const member = where.exists(
      where
        .selectFrom('organization_members')
        .select(sql`1`.as('one'))
        .whereRef('organization_members.organization_id', '=', 'repositories.owner_id')
        .where('organization_members.user_id', '=', actor.id),
    );
    const openTo = actor.is_restricted
      ? isOpenToRestricted(where)
      : where.and([open, where.or([where('users.visibility', '!=', 'private'), member])]);
    const own = where('repositories.owner_id', '=', actor.id);
    return where.and([ready, ...notPrivate, where.or([openTo, own, isCollaborator(where, actor), isInTeam(where, actor)])]);
  };
}
