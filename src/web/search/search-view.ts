import type { Context } from '../../context.ts';
import { HttpError } from '../../http/errors.ts';
import type { Scope } from '../../search/find/scope.ts';
import type { SearchResults } from '../../search/find/search.ts';
import { SEARCH_SORTS, searchCode } from '../../search/find/search.ts';
import { MAX_QUERY_LENGTH } from '../../search/query/parse.ts';
import { SEARCH_MODES, type SearchMode } from '../../search/query/query.ts';
import { requestedQuery, requestedSort, searchOrRefuse } from '../../search/requested.ts';
import { fault } from '../components/fault.ts';
import { requestedPage } from '../components/list-page.ts';
import { number } from '../components/numbers.ts';
import { pageLinks, withParameter } from '../components/pages.ts';
import { type Html, html } from '../html.ts';
import { notice, type Visit } from '../page.ts';
import { icon, type View } from '../view.ts';
import { resultList } from './results.ts';

/** The scope of a search page. */
export interface SearchedPlace {
  readonly scope: Scope;
  /** The URL of its form. */
  readonly action: string;
  readonly label: string;
  /** The state of the index. */
  readonly notice?: string | undefined;
}

/** The data of a search page. */
export interface SearchView {
  readonly body: Html;
  /** 422 for an invalid query. */
  readonly status: number;
}

/** The form of a search, and its results. */
export async function searchView(visit: Visit, context: Context, place: SearchedPlace): Promise<SearchView> {
  const { view, fields } = visit;
  const q = (fields.get('q') ?? '').trim();
  const mode = modeOf(visit);
  const form = searchForm(view, place, q, mode, fields.get('l') ?? '');
  const placeNotice = place.notice !== undefined && notice(place.notice);
  if (q === '') return { body: html`${form}${placeNotice}${help(view)}`, status: 200 };
  try {
    return { body: html`${form}${placeNotice}${await found(visit, context, place, q, mode)}`, status: 200 };
  } catch (error) {
    if (!(error instanceof HttpError) || error.status !== 422) throw error;
    return { body: html`${form}${fault(view, error.message.replace(/^q: /, ''))}${help(view)}`, status: error.status };
  }
}

/** Links of earlier versions use `t=match` or `fuzzy=false` for the exact mode. */
function modeOf({ fields }: Visit): SearchMode {
  const named = SEARCH_MODES.find((mode) => mode === fields.get('search_mode'));
  return named ?? (fields.get('t') === 'match' || fields.get('fuzzy') === 'false' ? 'exact' : 'words');
}

function searchForm(view: View, { action, label }: SearchedPlace, q: string, mode: SearchMode, language: string): Html {
  const { search } = view.text;
  return html`<form class="row code-search" role="search" aria-label="${label}" action="${action}">
<input type="search" name="q" value="${q}" maxlength="${MAX_QUERY_LENGTH}" aria-label="${label}" placeholder="${search.what}"${q === '' && html` autofocus`}>
${language !== '' && html`<input type="hidden" name="l" value="${language}">`}
<select name="search_mode" aria-label="${search.mode}">${SEARCH_MODES.map(
    (name) => html`<option value="${name}"${name === mode && html` selected`}>${search.modes[name]}</option>`,
  )}</select><button class="primary">${search.search}</button></form>`;
}

async function found(visit: Visit, context: Context, { scope }: SearchedPlace, q: string, mode: SearchMode): Promise<Html> {
  const { view, fields } = visit;
  const { search } = view.text;
  const page = requestedPage(visit, context.settings);
  const sort = SEARCH_SORTS.find((name) => name === fields.get('sort')) ?? 'relevance';
  const language = fields.get('l') ?? '';
  const results = await searchOrRefuse(() =>
    searchCode(context, scope, requestedQuery({ q, mode, language }), { page, sort: requestedSort(sort) }),
  );
  const inRepository = scope.repositoryId !== undefined;
  const states = html`${results.isIncomplete && !inRepository && html`<p class="warning" role="status">${search.incomplete}</p>`}
${results.isIncomplete && inRepository && results.total > 0 && html`<p class="warning" role="status">${search.incomplete}</p>`}
${results.isPending && !inRepository && notice(search.pending)}`;
  if (results.total === 0) {
    const empty = html`<div class="empty"><h2>${search.nothing}</h2><p>${search.nothingHint}</p></div>`;
    return html`${states}${facets(view, results, language)}${empty}`;
  }
  const count = results.isIncomplete ? search.filesAtLeast(results.total) : search.files(results.total);
  return html`${states}<div class="columns code-found"><div><div class="row"><h2 class="count-line">${count}</h2>
<span class="push row sorts">${search.sort} ${SEARCH_SORTS.map(
    (name) =>
      html`<a href="${withParameter(view, 'sort', name === 'relevance' ? undefined : name)}"${name === sort && html` aria-current="true"`}>${search.sorts[name]}</a>`,
  )}</span></div>
${resultList(view, results.results, !inRepository)}${pageLinks(view, { ...page, total: results.total })}</div>
<aside>${facets(view, results, language)}</aside></div>`;
}

/** Links to the results in one language. */
function facets(view: View, { languages }: SearchResults, chosen: string): Html | false {
  const { search } = view.text;
  if (languages.length === 0 && chosen === '') return false;
  return html`<nav aria-label="${search.languages}"><h2>${search.languages}</h2><ul class="facts facets">
${chosen !== '' && html`<li><a href="${withParameter(view, 'l', undefined)}">${icon(view, 'x')} ${search.allLanguages}</a></li>`}
${languages.map(
  ({ name, count }) =>
    html`<li><a href="${withParameter(view, 'l', name)}"${name === chosen && html` aria-current="true"`}>${name}</a> <span class="count">${number(view, count)}</span></li>`,
)}</ul></nav>`;
}

function help(view: View): Html {
  const { search } = view.text;
  const rows = [
    ['open file', search.helpWords],
    ['"return null"', search.helpPhrase],
    ['/func \\w+Error/', search.helpExpression],
    ['path:src/*.go', search.helpPath],
    ['language:python', search.helpLanguage],
    ['repo:owner/name, user:name, org:name', search.helpRepository],
    ['case:yes', search.helpCase],
  ];
  return html`<section class="search-help" aria-label="${search.help}"><h2>${search.help}</h2><dl>${rows.map(
    ([example = '', meaning = '']) => html`<div><dt><code>${example}</code></dt><dd>${meaning}</dd></div>`,
  )}</dl></section>`;
}
