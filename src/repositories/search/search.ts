import { type Expression, type ExpressionBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { findRepositories, type Repository } from '../../access/find-repository.ts';
import { visibleRepositories } from '../../access/repository-access.ts';
import type { Context } from '../../context.ts';
import type { Tables } from '../../database/tables.ts';
import type { Page } from '../../http/paging.ts';
import { countVisible, ofKind } from './count.ts';
import { orderOf } from './order.ts';
import type { RepositorySearch } from './repository-search.ts';
import { hasWord, keywordsOf } from './words.ts';

type Where = ExpressionBuilder<Tables, 'repositories' | 'users'>;

/** A page of repositories that the caller may see, and their number. Only ids are sorted; whole rows are read only for the page. */
export async function searchRepositories(
  context: Context,
  requested: RepositorySearch,
  page: Page,
): Promise<{ repositories: Repository[]; total: number }> {
  const search = { ...requested, includePrivate: requested.includePrivate && !context.signIn.token?.publicOnly };
  const { ids, total } = await (isWide(search) ? pageOfMany(context, search, page) : pageOfSome(context, search, page));
  const repositories = new Map((await findRepositories(context.db, ids)).map((repository) => [repository.id, repository]));
  return { repositories: ids.flatMap((id) => repositories.get(id) ?? []), total };
}

interface IdPage {
  ids: number[];
  total: number;
}

/** Whether nothing matters but of what kind repositories are: so many are found that they are gone through in order, not sorted. */
function isWide({ ownerId, teamId, starredById, watchedById, language, isRelevant, keyword }: RepositorySearch): boolean {
  return !ownerId && !teamId && !starredById && !watchedById && !language && !isRelevant && keywordsOf({ keyword }).length === 0;
}

async function pageOfMany(context: Context, search: RepositorySearch, page: Page): Promise<IdPage> {
  const total = await countVisible(context, search, !search.includePrivate);
  if (page.offset >= total) return { ids: [], total };
  const found = isByOwner(search) ? joinedFromOwners(context, search) : foundBy(context, search);
  // Equal ones follow the index too, so that nothing is sorted.
  const ordered = orderOf(found.select('repositories.id'), search, [], search.order?.direction);
  const hits = await ordered.limit(page.limit).offset(page.offset).execute();
  return { ids: hits.map(({ id }) => id), total };
}

function isByOwner({ order, priorityOwnerId }: RepositorySearch): boolean {
  return !priorityOwnerId && order?.by === 'alpha';
}

/** Like {@link foundBy}; but SQLite, which keeps the order of a cross join, scans the owners by name and sorts nothing. */
function joinedFromOwners(context: Context, search: RepositorySearch) {
  return context.db
    .selectFrom('users')
    .crossJoin('repositories')
    .whereRef('repositories.owner_id', '=', 'users.id')
    .where((where) => where.and(conditionsOf(context, search, where)));
}

/** Few matches are counted while they are sorted. */
async function pageOfSome(context: Context, search: RepositorySearch, page: Page): Promise<IdPage> {
  const found = foundBy(context, search);
  const counted = found.select(['repositories.id', sql<number>`count(*) over ()`.as('total')]);
  const hits = await orderOf(counted, search, keywordsOf(search)).limit(page.limit).offset(page.offset).execute();
  const [first] = hits;
  if (first) return { ids: hits.map(({ id }) => id), total: Number(first.total) };
  return { ids: [], total: page.offset === 0 ? 0 : await countOf(found) };
}

function foundBy(context: Context, search: RepositorySearch) {
  return context.db
    .selectFrom('repositories')
    .innerJoin('users', 'users.id', 'repositories.owner_id')
    .where((where) => where.and(conditionsOf(context, search, where)));
}

/** The number of all, if the page has no row with it. */
async function countOf(found: SelectQueryBuilder<Tables, 'repositories' | 'users', object>): Promise<number> {
  const { total } = await found.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return Number(total);
}

function conditionsOf(context: Context, search: RepositorySearch, where: Where): Expression<SqlBool>[] {
  const conditions = [visibleRepositories(context.actor, { publicOnly: !search.includePrivate })(where), ofKind(search)(where)];
  if (search.starredById) conditions.push(where('repositories.id', 'in', starredBy(where, search.starredById)));
  if (search.watchedById) conditions.push(where('repositories.id', 'in', watchedBy(where, search.watchedById)));
  if (search.language) conditions.push(where('repositories.language', '=', search.language));
  if (search.isRelevant) conditions.push(relevant(search, where));
  if (search.teamId) conditions.push(where('repositories.id', 'in', ofTeam(where, search.teamId)), ...knowsTeams(context, where));
  if (search.ownerId) conditions.push(ownedBy(context, search, search.ownerId, where));
  const keywords = keywordsOf(search);
  if (keywords.length > 0) conditions.push(hasWord(context, search, keywords, where));
  return conditions;
}

/** As Gitea chooses them: forks are shown where they are searched for. */
function relevant({ isFork }: RepositorySearch, where: Where): Expression<SqlBool> {
  const topics = where.selectFrom('repository_topics').select('repository_topics.repository_id');
  const isDescribed = where.or([
    where('repositories.description', '!=', ''),
    where('repositories.avatar', '!=', ''),
    where('repositories.id', 'in', topics),
  ]);
  const isNoFork = isFork === undefined ? [where('repositories.fork_id', 'is', null)] : [];
  return where.and([where('repositories.is_empty', '=', false), isDescribed, ...isNoFork]);
}

function starredBy(where: Where, userId: number) {
  return where.selectFrom('stars').select('stars.repository_id').where('stars.user_id', '=', userId);
}

function watchedBy(where: Where, userId: number) {
  return where
    .selectFrom('watches')
    .select('watches.repository_id')
    .where('watches.user_id', '=', userId)
    .where('watches.mode', '!=', 'ignored');
}

/** Those outside of an organization do not find out what its teams have. */
function knowsTeams({ actor }: Pick<Context, 'actor'>, where: Where): Expression<SqlBool>[] {
  if (actor?.is_admin) return [];
  return [where('repositories.owner_id', 'in', organizationsOf(where, actor?.id ?? 0))];
}

function organizationsOf(where: Where, userId: number) {
  return where
    .selectFrom('organization_members')
    .select('organization_members.organization_id')
    .where('organization_members.user_id', '=', userId);
}

function ofTeam(where: Where, teamId: number) {
  return where.selectFrom('team_repositories').select('team_repositories.repository_id').where('team_repositories.team_id', '=', teamId);
}

/** The repositories that a user owns or contributes to: as a collaborator, through a team, or as a member of a private organization. */
function ownedBy({ actor }: Pick<Context, 'actor'>, search: RepositorySearch, userId: number, where: Where): Expression<SqlBool> {
  const owned = where('repositories.owner_id', '=', userId);
  if (search.collaborative === false) return owned;
  const membership = (publicOnly: boolean) =>
    where
      .selectFrom('organization_members')
      .select('organization_members.organization_id')
      .where('organization_members.user_id', '=', userId)
      .$if(publicOnly, (query) => query.where('organization_members.is_public', '=', false));
  const collaborations = where
    .selectFrom('collaborations')
    .select('collaborations.repository_id')
    .where('collaborations.user_id', '=', userId);
  const contributes = where.or([
    where('repositories.id', 'in', collaborations.where('collaborations.access_level', '>=', 2)),
    // Who only reads a public repository, as everybody does, is not shown it as their own, as in Gitea.
    where.and([
      where('repositories.is_private', '=', true),
      where('repositories.id', 'in', collaborations.where('collaborations.access_level', '>=', 1)),
    ]),
    where(
      'repositories.id',
      'in',
      where
        .selectFrom('team_members')
        .innerJoin('team_repositories', 'team_repositories.team_id', 'team_members.team_id')
        .select('team_repositories.repository_id')
        .where('team_members.user_id', '=', userId),
    ),
    where.and([
      where('repositories.is_private', '=', false),
      where('users.visibility', '=', 'private'),
      where('users.type', '=', 'organization'),
      where('repositories.owner_id', 'in', membership(false)),
    ]),
  ]);
  const knowsAll = actor !== null && (actor.is_admin || actor.id === userId);
  const fellow = actor && search.includePrivate ? [where('repositories.owner_id', 'in', organizationsOf(where, actor.id))] : [];
  const collaborative = where.and([
    where('repositories.owner_id', '!=', userId),
    contributes,
    // A hidden membership must not be revealed by contributions, except to fellow members.
    ...(search.includePrivate && knowsAll ? [] : [where.or([where('repositories.owner_id', 'not in', membership(true)), ...fellow])]),
  ]);
  return search.collaborative ? collaborative : where.or([owned, collaborative]);
}
