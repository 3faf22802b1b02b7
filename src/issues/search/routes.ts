import { seesTeams } from '../../access/find-organization.ts';
import { findUser } from '../../access/find-user.ts';
import { isUserVisible } from '../../access/user-visibility.ts';
import type { Context } from '../../context.ts';
import { badRequest } from '../../http/errors.ts';
import { listed, pageOf } from '../../http/paging.ts';
import { type AnyRoute, query, route } from '../../http/route.ts';
import { array } from '../../http/schema.ts';
import { readTimeRange, timeRangeQuery } from '../../http/time-range.ts';
import type { IssueFilter } from '../issue-filter.ts';
import { names, readKind, readState, readWords, userId } from '../list-query.ts';
import { presentIssues } from '../present.ts';
import { Issue } from '../schema.ts';
import type { SearchScope } from './readable.ts';
import { searchIssues } from './search.ts';

const searchQuery = {
  state: query.string('whether open, closed or all', { enum: ['open', 'closed', 'all'], default: 'open' }),
  labels: query.string('comma-separated names of labels: only what has one of them; unknown names are ignored'),
  milestones: query.string('comma-separated titles of milestones: only what is in one of them; unknown ones are ignored'),
  q: query.string('words to look for in titles, texts and comments'),
  type: query.string('only issues, or only pull requests', { enum: ['issues', 'pulls'] }),
  ...timeRangeQuery,
  assigned: query.boolean('only what the caller is assigned to', { default: false }),
  created: query.boolean('only what the caller opened', { default: false }),
  mentioned: query.boolean('only what the caller is mentioned in', { default: false }),
  review_requested: query.boolean('only pull requests that the caller is asked to review', { default: false }),
  reviewed: query.boolean('only pull requests that the caller reviewed', { default: false }),
  owner: query.string('only in repositories of this owner'),
  created_by: query.string('only what this user opened'),
  team: query.string('only in repositories of this team of the owner'),
  page: query.integer('page number of results to return (1-based)', { minimum: 1, default: 1 }),
  limit: query.integer('page size of results', { minimum: 0 }),
};

/** Searching issues and pull requests of all repositories. */
export const searchRoutes: readonly AnyRoute[] = [
  route({
    method: 'GET',
    path: '/repos/issues/search',
    semaphore: 'searches',
    id: 'issueSearchIssues',
    summary: 'Searches the issues and pull requests that the caller may read, the newest first',
    tag: 'issue',
    scope: 'issue',
    query: searchQuery,
    responses: { 200: array(Issue) },
    also: [400],
    handle: async ({ query, request }, context) => {
      const page = pageOf(context, query);
      const span = readTimeRange(query);
      const scope = await scopeOf(context, query.owner, query.team);
      const mine = (isSet: boolean | undefined) => (isSet ? context.actor?.id : undefined);
      const filter: IssueFilter = {
        isPull: readKind(query.type),
        isClosed: readState(query.state),
        words: readWords(query.q),
        labelNames: await knownLabels(context, names(query.labels)),
        milestoneIds: await milestonesTitled(context, names(query.milestones)),
        authorId: mine(query.created) ?? (await userId(context, query.created_by)),
        assigneeId: mine(query.assigned),
        mentionedId: mine(query.mentioned),
        reviewRequestedId: mine(query.review_requested),
        reviewedById: mine(query.reviewed),
        span,
      };
      const { issues, total } = await searchIssues(context, filter, scope, page);
      return listed(await presentIssues(context, issues), total, { url: request.url, ...page });
    },
  }),
];

/** @throws HttpError 400 for an owner or team that is missing or hidden, and a team without an owner */
async function scopeOf(context: Context, owner: string | undefined, teamName: string | undefined): Promise<SearchScope> {
  if (!owner) {
    if (teamName) throw badRequest('owner organisation is required for filtering on team');
    return {};
  }
  const { db } = context;
  const account = await findUser(db, owner);
  if (!account || !(await isUserVisible(db, account, context.actor))) throw badRequest(`user does not exist [uid: 0, name: ${owner}]`);
  if (!teamName) return { ownerId: account.id };
  const team = await db
    .selectFrom('teams')
    .selectAll()
    .where('organization_id', '=', account.id)
    .where('lower_name', '=', teamName.toLowerCase())
    .executeTakeFirst();
  if (!team || !(await seesTeams(context, account)))
    throw badRequest(`team does not exist [org_id ${account.id}, team_id 0, name: ${teamName}]`);
  return { ownerId: account.id, team };
}

async function knownLabels({ db }: Context, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return [];
  const rows = await db
    .selectFrom('labels')
    .select('name')
    .distinct()
    .where('name', 'in', [...names])
    .execute();
  return rows.map(({ name }) => name);
}

async function milestonesTitled({ db }: Context, titles: readonly string[]): Promise<number[]> {
  if (titles.length === 0) return [];
  const rows = await db
    .selectFrom('milestones')
    .select('id')
    .where(
      (where) => where.fn<string>('lower', ['title']),
      'in',
      // SQLite's `lower`, which the index has, leaves letters outside of ASCII as they are.
      titles.flatMap((title) => [title.toLowerCase(), title.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())]),
    )
    .execute();
  return rows.map(({ id }) => id);
}
