import { explore, signedIn } from '../../access/requirements.ts';
import { organizationRoute, visibleUserRoute } from '../../access/routes.ts';
import { signedInActor } from '../../accounts/sign-in/actor.ts';
import type { Context } from '../../context.ts';
import { unprocessable } from '../../http/errors.ts';
import { listed, type Page, pageOf } from '../../http/paging.ts';
import { HttpResponse } from '../../http/responses.ts';
import { type AnyRoute, pageQuery, query, route } from '../../http/route.ts';
import { array, ref } from '../../http/schema.ts';
import { presentRepositories, withLanguages } from '../present.ts';
import { Repository } from '../schema.ts';
import { type AccessedRepositories, ownedRepositories } from './owned.ts';
import type { RepositorySearch } from './repository-search.ts';
import { SearchResults } from './schema.ts';
import { searchRepositories } from './search.ts';
import { type SearchOrder, SORTS } from './sorts.ts';

/** The meaning of search modes. */
const MODES: Readonly<Record<string, Pick<RepositorySearch, 'isFork' | 'isMirror' | 'collaborative'>>> = {
  source: { isFork: false, isMirror: false },
  fork: { isFork: true },
  mirror: { isMirror: true },
  collaborative: { isMirror: false, collaborative: true },
};

function modeOf(mode: string | undefined) {
  if (!mode) return {};
  const meaning = Object.hasOwn(MODES, mode) ? MODES[mode] : undefined;
  if (!meaning) throw unprocessable(`Invalid search mode: "${mode}"`);
  return meaning;
}

function orderOf(sort: string | undefined, order: string | undefined): SearchOrder | undefined {
  if (!sort) return undefined;
  const direction = order || 'asc';
  if (direction !== 'asc' && direction !== 'desc') throw unprocessable(`Invalid sort order: "${order}"`);
  const by = SORTS.find((name) => name === sort);
  if (!by) throw unprocessable(`Invalid sort mode: "${sort}"`);
  return { by, direction };
}

/** An invalid id is ignored. */
function idOf(given: number | undefined): number | undefined {
  return given !== undefined && given > 0 ? given : undefined;
}

/** A page of repositories with its headers. */
export async function listRepositories(context: Context, found: AccessedRepositories, page: Page, url: string) {
  const shapes = withLanguages(await presentRepositories(context, found.repositories, found.access), found.repositories);
  return listed(shapes, found.total, { url, ...page });
}

/** Searching repositories. */
export const repositorySearchRoutes: readonly AnyRoute[] = [
  route({
    method: 'GET',
    path: '/repos/search',
    semaphore: 'searches',
    id: 'repoSearch',
    summary: 'Searches repositories',
    scope: 'repository',
    query: {
      q: query.string('words, separated by commas'),
      topic: query.boolean('words are whole topics'),
      includeDesc: query.boolean('words may be in the description too'),
      uid: query.int64('only what the user with this id owns or contributes to'),
      priority_owner_id: query.int64('id of the owner whose repositories come first'),
      team_id: query.int64('only what the team with this id has'),
      starredBy: query.int64('only what the user with this id starred'),
      private: query.boolean('also what is not public, as far as the caller may see it (true when left out)'),
      is_private: query.boolean('only private, or only public ones'),
      template: query.boolean('only templates, or none of them'),
      archived: query.boolean('only archived, or none of them'),
      mode: query.string('fork, source, mirror or collaborative'),
      exclusive: query.boolean('with uid: only what the user owns'),
      sort: query.string(
        'alpha (by owner and name), created, updated, size, git_size, lfs_size, stars, forks or id; by name when left out',
      ),
      order: query.string('with sort: asc (when left out) or desc'),
      ...pageQuery,
    },
    responses: { 200: SearchResults },
    handle: async ({ query, request }, context) => {
      const page = pageOf(context, query);
      const { repositories, total } = await searchRepositories(
        context,
        {
          keyword: query.q?.trim(),
          topicOnly: query.topic,
          inDescription: query.includeDesc,
          includePrivate: context.actor !== null && query.private !== false,
          ownerId: idOf(query.uid),
          teamId: idOf(query.team_id),
          starredById: idOf(query.starredBy),
          isPrivate: query.is_private,
          isTemplate: query.template,
          isArchived: query.archived,
          ...(query.exclusive && { collaborative: false }),
          ...modeOf(query.mode),
          order: orderOf(query.sort, query.order),
          priorityOwnerId: idOf(query.priority_owner_id),
        },
        page,
      );
      const response = listed([], total, { url: request.url, ...page });
      const data = withLanguages(await presentRepositories(context, repositories), repositories);
      return new HttpResponse({ ok: true, data }, { headers: response.headers });
    },
  }),
  route({
    method: 'GET',
    path: '/user/repos',
    id: 'userCurrentListRepos',
    summary: 'Lists the repositories that the caller owns or contributes to',
    tag: 'user',
    groupScope: 'user',
    scope: 'repository',
    needs: [signedIn],
    query: pageQuery,
    responses: { 200: array(ref(Repository)) },
    handle: async ({ query, request }, context) => {
      const page = pageOf(context, query);
      const search = { ownerId: signedInActor(context).id, includePrivate: true };
      const { repositories, total } = await searchRepositories(context, search, page);
      const shapes = withLanguages(await presentRepositories(context, repositories), repositories);
      return listed(shapes, total, { url: request.url, ...page });
    },
  }),
  visibleUserRoute({
    method: 'GET',
    path: '/users/:username/repos',
    id: 'userListRepos',
    summary: 'Lists the repositories of a user',
    tag: 'user',
    groupScope: 'user',
    scope: 'repository',
    needs: [explore],
    query: pageQuery,
    responses: { 200: array(ref(Repository)) },
    handle: async ({ user, query, request }, context) => {
      const page = pageOf(context, query);
      return listRepositories(context, await ownedRepositories(context, user, page), page, request.url);
    },
  }),
  organizationRoute({
    method: 'GET',
    path: '/orgs/:org/repos',
    id: 'orgListRepos',
    summary: 'Lists the repositories of an organization',
    tag: 'organization',
    scope: 'organization',
    query: pageQuery,
    responses: { 200: array(ref(Repository)) },
    handle: async ({ organization, query, request }, context) => {
      const page = pageOf(context, query);
      return listRepositories(context, await ownedRepositories(context, organization, page), page, request.url);
    },
  }),
];
