import type { Context } from '../../context.ts';
import { PACKAGE_TYPES } from '../../database/tables/package-types.ts';
import { typeOf } from '../../packages/api/load.ts';
import { presentVersions } from '../../packages/api/present.ts';
import { packageAccess } from '../../packages/protocol/access.ts';
import { countVersions, searchVersions, type VersionSearch } from '../../packages/registry/search.ts';
import { field, select } from '../components/form.ts';
import { requestedPage } from '../components/list-page.ts';
import { pageLinks } from '../components/pages.ts';
import type { Document } from '../document.ts';
import { type Html, html } from '../html.ts';
import type { Visit } from '../page.ts';
import { repositoryDocument, repositoryPath } from '../repository/frame.ts';
import type { RepositoryVisit } from '../resource-pages.ts';
import { path } from '../view.ts';
import { type OwnerVisit, packagesPath } from './load.ts';
import { packageRows } from './rows.ts';

const MAX_SEARCH = 200;

/** The packages of a user or an organization. */
export async function ownerPackages(visit: OwnerVisit, context: Context): Promise<Document> {
  const { view, user } = visit;
  const { packages: text } = view.text;
  return {
    title: text.packagesOf(user.name),
    layout: 'page',
    body: html`<p class="package-path"><a href="${path(view, encodeURIComponent(user.name))}">${user.name}</a></p><h1>${text.packages}</h1>
${await packageList(visit, context, { ownerId: user.id }, user, { action: packagesPath(view, user), empty: text.none })}`,
  };
}

/** The packages linked to a repository, for users who may see the owner's packages. */
export async function repositoryPackages(visit: RepositoryVisit, context: Context): Promise<Document> {
  const { view, repository } = visit;
  const { packages: text } = view.text;
  const { owner } = repository;
  const isAllowed = (await packageAccess(context, owner)) >= 1;
  const search = { ownerId: owner.id, repositoryId: repository.id };
  const shown = { action: repositoryPath(view, repository, 'packages'), empty: text.linkedNone };
  return repositoryDocument(visit, context, {
    tab: 'packages',
    title: text.packages,
    body: html`<div class="row"><h2>${text.packages}</h2>
${isAllowed && html`<a class="push" href="${packagesPath(view, owner)}">${text.allOf(owner.name)}</a>`}</div>
${isAllowed ? await packageList(visit, context, search, owner, shown) : html`<div class="empty">${text.linkedNone}</div>`}`,
  });
}

async function packageList(
  visit: Visit,
  context: Context,
  whose: Pick<VersionSearch, 'ownerId' | 'repositoryId'>,
  owner: OwnerVisit['user'],
  { action, empty }: { action: string; empty: string },
): Promise<Html> {
  const { view, fields } = visit;
  const { packages: text } = view.text;
  const q = (fields.get('q') ?? '').trim().slice(0, MAX_SEARCH);
  const type = typeOf(fields.get('type')) ?? 'all';
  const search = { ...whose, latest: true, nameContains: q, ...(type !== 'all' && { type }) };
  const page = requestedPage(visit, context.settings);
  const total = await countVersions(context, search);
  const versions = total > 0 ? await presentVersions(context, owner, await searchVersions(context.db, search, page)) : [];
  const isFiltered = q !== '' || type !== 'all';
  if (total === 0 && !isFiltered) return html`<div class="empty"><h2>${empty}</h2><p>${text.noneHint}</p></div>`;
  const options = [['', text.allTypes] as const, ...PACKAGE_TYPES.map((name) => [name, name] as const)];
  return html`<form class="row package-filter" role="search" aria-label="${text.packages}" action="${action}">
${field({ name: 'q', label: text.name, type: 'search', value: q, maxLength: MAX_SEARCH })}
${select({ name: 'type', label: text.type, value: type === 'all' ? '' : type, options })}
<button>${text.search}</button></form>
${total === 0 ? html`<p class="empty">${text.noneFound}</p>` : html`${packageRows(view, versions)}${pageLinks(view, { ...page, total })}`}`;
}
