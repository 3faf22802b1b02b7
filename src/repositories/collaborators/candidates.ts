import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { Repository } from '../../access/find-repository.ts';
import { reachesUnit } from '../../access/repository-rights.ts';
import type { Context } from '../../context.ts';
import { contains, containsAnyCase } from '../../database/contains.ts';
import { cachedRows, preparedIn } from '../../database/prepared.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { UnitName } from '../../database/tables/repositories.ts';
import type { Tables } from '../../database/tables.ts';
import { isCollaborator } from './collaborators.ts';

type Where = ExpressionBuilder<Tables, 'users'>;

/** Which candidates are listed; all by default. */
export interface CandidateSearch {
  /** Parts of names or full names, whatever their case. */
  readonly keyword?: string;
  /** Maximum number. */
  readonly limit?: number;
}

/** The possible assignees of issues and pull requests: the owner, users with write access, and the teams that read issues or pull requests. */
export function listAssignees(context: Context, repository: Repository, search: CandidateSearch = {}): Promise<User[]> {
  return listCandidates(context, repository, { level: 2, units: ['issues', 'pulls'], ...search });
}

/** The possible reviewers: the owner, every collaborator who reads the repository, and the teams that read pull requests. */
export function listReviewers(context: Context, repository: Repository, search: CandidateSearch = {}): Promise<User[]> {
  return listCandidates(context, repository, { level: repository.is_private ? 1 : 0, units: ['pulls'], ...search });
}

/** Whether a user may choose reviewers: the owner, collaborators and members of teams that read pull requests may. */
export async function mayChooseReviewers(context: Context, repository: Repository, actor: User): Promise<boolean> {
  return !repository.is_archived && (await belongsTo(context, repository, actor, ['pulls']));
}

/** Whether a user is the owner, a collaborator or in a team that has the repository and reads one of the units. */
export async function belongsTo(context: Context, repository: Repository, user: User, units: readonly UnitName[]): Promise<boolean> {
  if (user.id === repository.owner_id || (await isCollaborator(context, repository.id, user.id))) return true;
  if (repository.owner.type !== 'organization') return false;
  const row = await context.db
    .selectFrom('users')
    .select('id')
    .where('id', '=', user.id)
    .where((where) => inTeam(where, repository, units))
    .executeTakeFirst();
  return row !== undefined;
}

interface Candidates extends CandidateSearch {
  readonly level: 0 | 1 | 2;
  readonly units: readonly UnitName[];
}

const usersWithIds = preparedIn((db, ids) => db.selectFrom('users').selectAll().where('id', 'in', ids));

async function listCandidates({ db }: Context, repository: Repository, { level, units, keyword = '', limit }: Candidates): Promise<User[]> {
  const { owner } = repository;
  // The ids alone are cached: to find the first by name costs as much as there are collaborators.
  const found = await cachedRows(
    db,
    db
      .selectFrom('users')
      .select('id')
      .where('is_active', '=', true)
      .where((where) => {
        const ways = [collaborates(where, repository, level)];
        if (owner.type === 'organization') ways.push(inTeam(where, repository, units));
        return where.or(ways);
      })
      .$if(keyword !== '', (query) =>
        query.where((where) => where.or([contains(sql`users.lower_name`, keyword), containsAnyCase(sql`users.full_name`, keyword)])),
      )
      .orderBy('name')
      .$if(limit !== undefined, (query) => query.limit(limit ?? 0)),
  );
  const ids = found.map(({ id }) => id);
  const byId = new Map((await usersWithIds(db, ids)).map((user) => [user.id, user]));
  const users = ids.flatMap((id) => byId.get(id) ?? []);
  // Owners who added themselves as collaborators come by their name, others last.
  const isOwner =
    !byId.has(owner.id) &&
    owner.type !== 'organization' &&
    [owner.lower_name, owner.full_name.toLowerCase()].some((name) => name.includes(keyword.toLowerCase()));
  return (isOwner ? [...users, owner] : users).slice(0, limit);
}

function collaborates(where: Where, repository: Repository, level: 0 | 1 | 2): Expression<SqlBool> {
  return where(
    'users.id',
    'in',
    where
      .selectFrom('collaborations')
      .select('collaborations.user_id')
      .where('collaborations.repository_id', '=', repository.id)
      .where('collaborations.access_level', '>=', level),
  );
}

/** In a team that has the repository and administers it or reads one of the units. */
function inTeam(where: Where, repository: Repository, units: readonly UnitName[]): Expression<SqlBool> {
  return where(
    'users.id',
    'in',
    where
      .selectFrom('team_repositories')
      .innerJoin('teams', 'teams.id', 'team_repositories.team_id')
      .innerJoin('team_members', 'team_members.team_id', 'teams.id')
      .select('team_members.user_id')
      .where('team_repositories.repository_id', '=', repository.id)
      .where((team) => reachesUnit(team, units)),
  );
}
