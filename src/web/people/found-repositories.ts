import type { Context } from '../../context.ts';
import type { Page } from '../../http/paging.ts';
import type { RepositorySearch } from '../../repositories/search/repository-search.ts';
import { searchRepositories } from '../../repositories/search/search.ts';
import { listOrEmpty } from '../components/list-page.ts';
import { repositoryRows } from '../components/repository-rows.ts';
import { isNarrowed, readRepositoryChoice, repositorySearchForm, searchOf } from '../components/repository-search.ts';
import { type Html, html } from '../html.ts';
import type { AccountVisit } from '../resource-pages.ts';
import { path } from '../view.ts';

/** Repositories that an account owns, or that it has given a star. */
export type Whose = 'repositories' | 'stars';

/** The repositories of a tab of an account, as the reader may see them, and a form that narrows them down. */
export async function foundRepositories(visit: AccountVisit, context: Context, whose: Whose, page: Page): Promise<Html> {
  const { user, view, fields } = visit;
  const choice = readRepositoryChoice(fields);
  const { repositories, total } = await searchRepositories(context, { ...searchOf(choice), ...scopeOf(visit, context, whose) }, page);
  const isFiltered = isNarrowed(choice);
  const tab = user.type === 'organization' ? false : html`<input type="hidden" name="tab" value="${whose}">`;
  const form = (isFiltered || total > 0) && repositorySearchForm(view, path(view, encodeURIComponent(user.name)), choice, tab);
  const empty = isFiltered ? view.text.people.noneFound : view.text.people.noRepositories;
  return html`${form}${listOrEmpty(visit, page, { total, rows: repositoryRows(view, repositories), empty })}`;
}

/** Which private repositories somebody has given a star is nobody else's business. */
function scopeOf({ user }: AccountVisit, { actor }: Context, whose: Whose): RepositorySearch {
  if (whose === 'stars') return { starredById: user.id, includePrivate: actor?.id === user.id };
  return { ownerId: user.id, collaborative: false, includePrivate: actor !== null };
}
