import { explore } from '../../access/requirements.ts';
import { presentUsers } from '../../accounts/users/present.ts';
import { searchUsers } from '../../accounts/users/search.ts';
import type { Context } from '../../context.ts';
import type { AnyRoute } from '../../http/route.ts';
import { listOrganizations } from '../../organizations/list.ts';
import { searchRepositories } from '../../repositories/search/search.ts';
import type { SearchOrder } from '../../repositories/search/sorts.ts';
import { listOrEmpty, requestedPage } from '../components/list-page.ts';
import { personRows } from '../components/person-rows.ts';
import { repositoryRows } from '../components/repository-rows.ts';
import type { Document } from '../document.ts';
import { html } from '../html.ts';
import { seeOther, type Visit } from '../page.ts';
import { plainPage } from '../resource-pages.ts';
import { path, type View } from '../view.ts';
import { explored } from './frame.ts';

/** Finding repositories, people and organizations. */
export const explorePages: readonly AnyRoute[] = [
  ...plainPage({ path: '/explore', get: async (_, context) => seeOther(context, 'explore/repos') }),
  ...plainPage({ path: '/explore/repos', semaphore: 'searches', get: repositories }),
  ...plainPage({ path: '/explore/users', semaphore: 'searches', needs: [explore], get: users }),
  ...plainPage({ path: '/explore/organizations', get: organizations }),
];

/** What a list of repositories can be sorted by, and how. */
const ORDERS: Readonly<Record<keyof View['text']['people']['sorts'], SearchOrder>> = {
  updated: { by: 'updated', direction: 'desc' },
  created: { by: 'created', direction: 'desc' },
  alpha: { by: 'alpha', direction: 'asc' },
  stars: { by: 'stars', direction: 'desc' },
  forks: { by: 'forks', direction: 'desc' },
  size: { by: 'size', direction: 'desc' },
};
const SORTS = Object.keys(ORDERS) as (keyof typeof ORDERS)[];

async function repositories(visit: Visit, context: Context): Promise<Document> {
  const { view, fields } = visit;
  const { text } = view;
  const page = requestedPage(visit, context.settings);
  const keyword = fields.get('q')?.trim() ?? '';
  const sort = SORTS.find((name) => name === fields.get('sort')) ?? 'updated';
  const topicOnly = fields.get('topic') === '1';
  const search = { keyword, topicOnly, inDescription: true, includePrivate: context.actor !== null, order: ORDERS[sort] };
  const found = await searchRepositories(context, search, page);
  const form = html`<form class="row filters" action="${path(view, 'explore/repos')}">
<input type="search" name="q" value="${keyword}" aria-label="${text.people.words}" placeholder="${text.common.searchRepositories}">
<select name="sort" aria-label="${text.people.sort}" data-submit>${SORTS.map(
    (name) => html`<option value="${name}"${name === sort && html` selected`}>${text.people.sorts[name]}</option>`,
  )}</select>
<label class="choice"><input type="checkbox" name="topic" value="1"${topicOnly && html` checked`}> ${text.people.topicOnly}</label>
<button>${text.people.search}</button></form>`;
  const empty = keyword === '' ? text.people.noRepositories : text.people.noneFound;
  const rows = repositoryRows(view, found.repositories);
  const body = html`${form}${listOrEmpty(visit, page, { total: found.total, rows, empty })}`;
  return explored(view, context, { current: 'repos', title: text.people.repositories, body });
}

async function users(visit: Visit, context: Context): Promise<Document> {
  const { view, fields } = visit;
  const { text } = view;
  const page = requestedPage(visit, context.settings);
  const keyword = fields.get('q')?.trim() ?? '';
  const { users, total } = await searchUsers(context, { keyword }, page);
  const form = html`<form class="row filters" action="${path(view, 'explore/users')}">
<input type="search" name="q" value="${keyword}" aria-label="${text.people.words}" placeholder="${text.people.search}"><button>${text.people.search}</button></form>`;
  const empty = keyword === '' ? text.people.noPeople : text.people.noneFound;
  const rows = personRows(view, presentUsers(context, users));
  const body = html`${form}${listOrEmpty(visit, page, { total, rows, empty })}`;
  return explored(view, context, { current: 'users', title: text.people.users, body });
}

async function organizations(visit: Visit, context: Context): Promise<Document> {
  const { view } = visit;
  const { text } = view;
  const page = requestedPage(visit, context.settings);
  const { organizations, total } = await listOrganizations(context, page);
  const rows = personRows(view, presentUsers(context, organizations));
  const body = listOrEmpty(visit, page, { total, rows, empty: text.people.noOrganizations });
  return explored(view, context, { current: 'organizations', title: text.people.organizations, body });
}
