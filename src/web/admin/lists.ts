import type { Context } from '../../context.ts';
import type { AnyRoute } from '../../http/route.ts';
import { listAllOrganizations } from '../../organizations/list.ts';
import { presentOrganization } from '../../organizations/present.ts';
import { searchRepositories } from '../../repositories/search/search.ts';
import { listOrEmpty, requestedPage } from '../components/list-page.ts';
import { personRows } from '../components/person-rows.ts';
import { personSearchForm, personSearchOf, readPersonChoice } from '../components/person-search.ts';
import { repositoryRows } from '../components/repository-rows.ts';
import { readRepositoryChoice, repositorySearchForm, searchOf } from '../components/repository-search.ts';
import type { Document } from '../document.ts';
import { html } from '../html.ts';
import type { Visit } from '../page.ts';
import { plainPage } from '../resource-pages.ts';
import { path } from '../view.ts';
import { ADMIN_NEEDS, ADMIN_PATHS, adminDocument } from './frame.ts';

/** All organizations and all repositories. */
export const listPages: readonly AnyRoute[] = [
  ...plainPage({ path: `/${ADMIN_PATHS.organizations}`, needs: ADMIN_NEEDS, get: organizations }),
  ...plainPage({ path: `/${ADMIN_PATHS.repositories}`, needs: ADMIN_NEEDS, get: repositories }),
];

async function organizations(visit: Visit, context: Context): Promise<Document> {
  const { view, fields } = visit;
  const page = requestedPage(visit, context.settings);
  const choice = readPersonChoice(fields);
  const { organizations, total } = await listAllOrganizations(context, page, personSearchOf(choice));
  const shown = organizations.map((one) => ({ ...presentOrganization(context, one), login: one.name }));
  const { noOrganizations, noneFound } = view.text.admin;
  const empty = choice.keyword === '' ? noOrganizations : noneFound;
  const list = listOrEmpty(visit, page, { total, rows: personRows(view, shown), empty });
  const form = personSearchForm(view, path(view, ADMIN_PATHS.organizations), choice);
  const create = html`<p><a class="button" href="${path(view, 'org/create')}">${view.text.common.newOrganization}</a></p>`;
  return adminDocument(view, context, { current: 'organizations', body: html`${create}${form}${list}` });
}

async function repositories(visit: Visit, context: Context): Promise<Document> {
  const { view, fields } = visit;
  const page = requestedPage(visit, context.settings);
  const choice = readRepositoryChoice(fields);
  const { repositories, total } = await searchRepositories(context, { ...searchOf(choice), includePrivate: true }, page);
  const list = listOrEmpty(visit, page, { total, rows: repositoryRows(view, repositories), empty: view.text.admin.noneFound });
  return adminDocument(view, context, {
    current: 'repositories',
    body: html`${repositorySearchForm(view, path(view, ADMIN_PATHS.repositories), choice)}${list}`,
  });
}
