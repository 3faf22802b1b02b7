import { explore } from '../../access/requirements.ts';
import { presentUsers } from '../../accounts/users/present.ts';
import { searchUsers } from '../../accounts/users/search.ts';
import type { Context } from '../../context.ts';
import type { AnyRoute } from '../../http/route.ts';
import { listOrganizations } from '../../organizations/list.ts';
import { searchRepositories } from '../../repositories/search/search.ts';
import { listOrEmpty, requestedPage } from '../components/list-page.ts';
import { withParameter } from '../components/pages.ts';
import { personRows } from '../components/person-rows.ts';
import { personSearchForm, personSearchOf, readPersonChoice } from '../components/person-search.ts';
import { repositoryRows } from '../components/repository-rows.ts';
import { isNarrowed, readFlag, readRepositoryChoice, repositorySearchForm, searchOf } from '../components/repository-search.ts';
import type { Document } from '../document.ts';
import { html } from '../html.ts';
import { seeOther, type Visit } from '../page.ts';
import { plainPage } from '../resource-pages.ts';
import { path } from '../view.ts';
import { explored } from './frame.ts';

/** Finding repositories, people and organizations. */
export const explorePages: readonly AnyRoute[] = [
  ...plainPage({ path: '/explore', get: async (_, context) => seeOther(context, 'explore/repos') }),
  ...plainPage({ path: '/explore/repos', semaphore: 'searches', get: repositories }),
  ...plainPage({ path: '/explore/users', semaphore: 'searches', needs: [explore], get: users }),
  ...plainPage({ path: '/explore/organizations', semaphore: 'searches', get: organizations }),
];

async function repositories(visit: Visit, context: Context): Promise<Document> {
  const { view, fields } = visit;
  const { text } = view;
  const page = requestedPage(visit, context.settings);
  const choice = readRepositoryChoice(fields);
  const topicOnly = fields.get('topic') === '1';
  const isRelevant = readFlag(fields.get('only_show_relevant')) ?? context.settings.ui.onlyRelevantRepositories;
  const search = { ...searchOf(choice), topicOnly, isRelevant, includePrivate: context.actor !== null };
  const { repositories, total } = await searchRepositories(context, search, page);
  const topics = html`<label class="choice"><input type="checkbox" name="topic" value="1"${topicOnly && html` checked`}> ${text.people.topicOnly}</label>${
    fields.has('only_show_relevant') && html`<input type="hidden" name="only_show_relevant" value="${isRelevant ? 1 : 0}">`
  }`;
  const relevance =
    isRelevant &&
    html`<p class="muted">${text.people.onlyRelevant} <a href="${withParameter(view, 'only_show_relevant', '0')}">${text.people.showIrrelevant}</a></p>`;
  const empty = isNarrowed(choice) || isRelevant ? text.people.noneFound : text.people.noRepositories;
  const body = html`${repositorySearchForm(view, path(view, 'explore/repos'), choice, topics)}${relevance}${listOrEmpty(visit, page, { total, rows: repositoryRows(view, repositories), empty })}`;
  return explored(view, context, { current: 'repos', title: text.people.repositories, body });
}

async function users(visit: Visit, context: Context): Promise<Document> {
  const { view, fields } = visit;
  const { text } = view;
  const page = requestedPage(visit, context.settings);
  const choice = readPersonChoice(fields);
  const { users, total } = await searchUsers(context, personSearchOf(choice), page);
  const form = personSearchForm(view, path(view, 'explore/users'), choice);
  const empty = choice.keyword === '' ? text.people.noPeople : text.people.noneFound;
  const rows = personRows(view, presentUsers(context, users));
  const body = html`${form}${listOrEmpty(visit, page, { total, rows, empty })}`;
  return explored(view, context, { current: 'users', title: text.people.users, body });
}

async function organizations(visit: Visit, context: Context): Promise<Document> {
  const { view, fields } = visit;
  const { text } = view;
  const page = requestedPage(visit, context.settings);
  const choice = readPersonChoice(fields);
  const { organizations, total } = await listOrganizations(context, page, personSearchOf(choice));
  const rows = personRows(view, presentUsers(context, organizations));
  const empty = choice.keyword === '' ? text.people.noOrganizations : text.people.noneFound;
  const form = (total > 0 || choice.keyword !== '') && personSearchForm(view, path(view, 'explore/organizations'), choice);
  const body = html`${form}${listOrEmpty(visit, page, { total, rows, empty })}`;
  return explored(view, context, { current: 'organizations', title: text.people.organizations, body });
}
