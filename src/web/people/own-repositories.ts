import type { Context } from '../../context.ts';
import type { Page } from '../../http/paging.ts';
import { searchRepositories } from '../../repositories/search/search.ts';
import { listOrEmpty } from '../components/list-page.ts';
import { repositoryRows } from '../components/repository-rows.ts';
import { isNarrowed, readRepositoryChoice, repositorySearchForm, searchOf } from '../components/repository-search.ts';
import { type Html, html } from '../html.ts';
import type { AccountVisit } from '../resource-pages.ts';
import { path } from '../view.ts';

/** The repositories that an account owns, as the reader may see them, and a form that narrows them down. */
export async function ownRepositories(visit: AccountVisit, context: Context, page: Page): Promise<Html> {
  const { user, view, fields } = visit;
  const choice = readRepositoryChoice(fields);
  const search = { ...searchOf(choice), ownerId: user.id, collaborative: false, includePrivate: context.actor !== null };
  const { repositories, total } = await searchRepositories(context, search, page);
  const isFiltered = isNarrowed(choice);
  const tab = user.type === 'organization' ? false : html`<input type="hidden" name="tab" value="repositories">`;
  const form = (isFiltered || total > 0) && repositorySearchForm(view, path(view, encodeURIComponent(user.name)), choice, tab);
  const empty = isFiltered ? view.text.people.noneFound : view.text.people.noRepositories;
  return html`${form}${listOrEmpty(visit, page, { total, rows: repositoryRows(view, repositories), empty })}`;
}
