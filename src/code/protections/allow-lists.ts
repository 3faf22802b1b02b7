import type { Repository } from '../../access/find-repository.ts';
import { findUsersById } from '../../access/find-user.ts';
import { repositoryAccess } from '../../access/repository-access.ts';
import { reachesUnit } from '../../access/repository-rights.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import { unprocessable } from '../../http/errors.ts';

/** Maximum number of names in a list. */
const MAX_NAMES = 1000;

/**
 * The ids of the accounts with these names, each once.
 * @throws HttpError 422 for an unknown name
 */
export async function userIdsByName({ db }: Context, names: readonly string[]): Promise<number[]> {
  requireFew(names);
  if (names.length === 0) return [];
  const wanted = [...new Set(names.map((name) => name.toLowerCase()))];
  const rows = await db.selectFrom('users').select(['id', 'lower_name']).where('lower_name', 'in', wanted).execute();
  const ids = new Map(rows.map(({ id, lower_name }) => [lower_name, id]));
  const missing = names.find((name) => !ids.has(name.toLowerCase()));
  if (missing !== undefined) throw unprocessable(`user does not exist [uid: 0, name: ${missing}]`);
  return sorted(ids.values());
}

/**
 * The ids of the teams with these names, each once; none where the owner has no teams.
 * @throws HttpError 422 for an unknown name
 */
export async function teamIdsByName({ db }: Context, { owner }: Repository, names: readonly string[]): Promise<number[]> {
  requireFew(names);
  if (names.length === 0 || owner.type !== 'organization') return [];
  const wanted = [...new Set(names.map((name) => name.toLowerCase()))];
  const rows = await db
    .selectFrom('teams')
    .select(['id', 'lower_name'])
    .where('organization_id', '=', owner.id)
    .where('lower_name', 'in', wanted)
    .execute();
  const ids = new Map(rows.map(({ id, lower_name }) => [lower_name, id]));
  const missing = names.find((name) => !ids.has(name.toLowerCase()));
  if (missing !== undefined) throw unprocessable(`team does not exist [org_id ${owner.id}, team_id 0, name: ${missing}]`);
  return sorted(ids.values());
}

/** Of these users, those who may write the code. */
export async function onlyWriters(context: Context, repository: Repository, userIds: readonly number[]): Promise<number[]> {
  const users = await findUsersById(context.db, userIds);
  const writers: number[] = [];
  for (const user of users.values()) {
    if ((await repositoryAccess(context, repository, user)).canWrite('code')) writers.push(user.id);
  }
  return sorted(writers);
}

/** Of these users, those with their own right to read pull requests, not only because everybody may. */
export async function onlyReviewers(context: Context, repository: Repository, userIds: readonly number[]): Promise<number[]> {
  const users = await findUsersById(context.db, userIds);
  const given = await givenAccess(context.db, repository, [...users.keys()]);
  const reviewers: number[] = [];
  for (const user of users.values()) {
    if (given.has(user.id) && (await repositoryAccess(context, repository, user)).canRead('pulls')) reviewers.push(user.id);
  }
  return sorted(reviewers);
}

/** Of these teams, those that have the repository and may read its code or pull requests. */
export async function onlyTeamsWithAccess({ db }: Context, repository: Repository, teamIds: readonly number[]): Promise<number[]> {
  if (teamIds.length === 0) return [];
  const rows = await db
    .selectFrom('teams')
    .innerJoin('team_repositories', 'team_repositories.team_id', 'teams.id')
    .select('teams.id')
    .distinct()
    .where('team_repositories.repository_id', '=', repository.id)
    .where('teams.id', 'in', teamIds)
    .where((where) => reachesUnit(where, ['code', 'pulls']))
    .execute();
  return sorted(rows.map(({ id }) => id));
}

/** The names for the ids of several rules, of users and teams that still have access to the repository. */
export class Names {
  readonly #users: ReadonlyMap<number, string>;
  readonly #teams: ReadonlyMap<number, string>;

  private constructor(users: ReadonlyMap<number, string>, teams: ReadonlyMap<number, string>) {
    this.#users = users;
    this.#teams = teams;
  }

  static async of(context: Context, repository: Repository, userIds: readonly number[], teamIds: readonly number[]): Promise<Names> {
    const { db } = context;
    const userList = [...(await givenAccess(db, repository, unique(userIds)))];
    const users = userList.length === 0 ? [] : await db.selectFrom('users').select(['id', 'name']).where('id', 'in', userList).execute();
    const teamList = await onlyTeamsWithAccess(context, repository, unique(teamIds));
    const teams = teamList.length === 0 ? [] : await db.selectFrom('teams').select(['id', 'name']).where('id', 'in', teamList).execute();
    return new Names(namesById(users), namesById(teams));
  }

  /** The names of these users, sorted. */
  users(ids: readonly number[]): string[] {
    return ids.flatMap((id) => this.#users.get(id) ?? []).sort();
  }

  /** The names of these teams, sorted. */
  teams(ids: readonly number[]): string[] {
    return ids.flatMap((id) => this.#teams.get(id) ?? []).sort();
  }
}

/**
 * Of these users, the owner if it is a person, and those with their own access, not only because everybody may read:
 * collaborators, and members of teams that read pull requests.
 */
async function givenAccess(db: Db, repository: Repository, userIds: readonly number[]): Promise<Set<number>> {
  if (userIds.length === 0) return new Set();
  const collaborators = await db
    .selectFrom('collaborations')
    .select('user_id')
    .where('repository_id', '=', repository.id)
    .where('user_id', 'in', userIds)
    // Where everybody may read, a right to read does not count.
    .where('access_level', '>=', repository.is_private ? 1 : 2)
    .execute();
  const members = await db
    .selectFrom('team_members')
    .innerJoin('teams', 'teams.id', 'team_members.team_id')
    .innerJoin('team_repositories', 'team_repositories.team_id', 'teams.id')
    .select('team_members.user_id')
    .where('team_repositories.repository_id', '=', repository.id)
    .where('team_members.user_id', 'in', userIds)
    .where((where) => reachesUnit(where, ['pulls']))
    .execute();
  const given = new Set([...collaborators, ...members].map(({ user_id }) => user_id));
  if (repository.owner.type === 'individual') given.add(repository.owner_id);
  return new Set(userIds.filter((id) => given.has(id)));
}

function requireFew(names: readonly string[]): void {
  if (names.length > MAX_NAMES) throw unprocessable(`more than ${MAX_NAMES} names in one list`);
}

function sorted(ids: Iterable<number>): number[] {
  return [...new Set(ids)].sort((a, b) => a - b);
}

function unique(ids: readonly number[]): number[] {
  return [...new Set(ids)];
}

function namesById(rows: readonly { id: number; name: string }[]): Map<number, string> {
  return new Map(rows.map(({ id, name }) => [id, name]));
}
