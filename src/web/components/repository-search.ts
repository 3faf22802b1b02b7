import type { FormFields } from '../../http/fields.ts';
import type { RepositorySearch } from '../../repositories/search/repository-search.ts';
import type { SearchOrder } from '../../repositories/search/sorts.ts';
import { type Html, html } from '../html.ts';
import type { View } from '../view.ts';

type Sorts = View['text']['people']['sorts'];
type Kinds = View['text']['people']['kinds'];

/** What a list of repositories can be sorted by, and how. */
const ORDERS: Readonly<Record<keyof Sorts, SearchOrder>> = {
  updated: { by: 'updated', direction: 'desc' },
  created: { by: 'created', direction: 'desc' },
  alpha: { by: 'alpha', direction: 'asc' },
  stars: { by: 'stars', direction: 'desc' },
  forks: { by: 'forks', direction: 'desc' },
  size: { by: 'size', direction: 'desc' },
};
/** What it can be narrowed to. */
const KINDS: Readonly<Record<keyof Kinds, Partial<RepositorySearch>>> = {
  all: {},
  source: { isFork: false, isMirror: false },
  fork: { isFork: true },
  mirror: { isMirror: true },
  template: { isTemplate: true },
  archived: { isArchived: true },
  public: { isPrivate: false },
  private: { isPrivate: true },
};
const MAX_WORDS = 255;

/** What the reader wants of a list of repositories; it stands in the URL. */
export interface RepositoryChoice {
  readonly keyword: string;
  readonly sort: keyof Sorts;
  readonly kind: keyof Kinds;
}

/** Reads it from the query; what makes no sense counts as not chosen. */
export function readRepositoryChoice(fields: FormFields): RepositoryChoice {
  return {
    keyword: (fields.get('q') ?? '').trim().slice(0, MAX_WORDS),
    sort: namesOf(ORDERS).find((name) => name === fields.get('sort')) ?? 'updated',
    kind: namesOf(KINDS).find((name) => name === fields.get('type')) ?? 'all',
  };
}

/** Whether anything is left out. */
export function isNarrowed({ keyword, kind }: RepositoryChoice): boolean {
  return keyword !== '' || kind !== 'all';
}

/** The choice as a search. */
export function searchOf({ keyword, sort, kind }: RepositoryChoice) {
  return { ...KINDS[kind], keyword, inDescription: true, order: ORDERS[sort] };
}

/** The fields of the choice. @param more further fields */
export function repositorySearchForm(
  view: View,
  action: string,
  { keyword, sort, kind }: RepositoryChoice,
  more: Html | false = false,
): Html {
  const { people: text, common } = view.text;
  const choice = (name: string, label: string, labels: Readonly<Record<string, string>>, chosen: string) =>
    html`<select name="${name}" aria-label="${label}" data-submit>${Object.entries(labels).map(
      ([value, shown]) => html`<option value="${value}"${value === chosen && html` selected`}>${shown}</option>`,
    )}</select>`;
  return html`<form class="row filters" role="search" aria-label="${common.searchRepositories}" action="${action}">
<input type="search" name="q" value="${keyword}" maxlength="${MAX_WORDS}" aria-label="${text.words}" placeholder="${common.searchRepositories}">
${choice('type', text.kind, text.kinds, kind)}${choice('sort', text.sort, text.sorts, sort)}${more}<button>${text.search}</button></form>`;
}

function namesOf<Name extends string>(table: Readonly<Record<Name, unknown>>): Name[] {
  return Object.keys(table) as Name[];
}
