import type { FormFields } from '../../http/bodies/fields.ts';
import type { KindFilter } from '../../repositories/search/count.ts';
import type { SearchOrder } from '../../repositories/search/sorts.ts';
import { type Html, html } from '../html.ts';
import { icon, type View } from '../view.ts';
import { withParameter } from './pages.ts';

type Sorts = View['text']['people']['sorts'];
type Kinds = View['text']['people']['kinds'];

/** The orders of lists of repositories, by Gitea's names. */
const ORDERS: Readonly<Record<keyof Sorts, SearchOrder>> = {
  recentupdate: { by: 'updated', direction: 'desc' },
  leastupdate: { by: 'updated', direction: 'asc' },
  newest: { by: 'created', direction: 'desc' },
  oldest: { by: 'created', direction: 'asc' },
  alphabetically: { by: 'alpha', direction: 'asc' },
  reversealphabetically: { by: 'alpha', direction: 'desc' },
  moststars: { by: 'stars', direction: 'desc' },
  feweststars: { by: 'stars', direction: 'asc' },
  mostforks: { by: 'forks', direction: 'desc' },
  fewestforks: { by: 'forks', direction: 'asc' },
  reversesize: { by: 'size', direction: 'desc' },
  size: { by: 'size', direction: 'asc' },
};
/** The filters of the list. */
const KINDS: Readonly<Record<keyof Kinds, KindFilter>> = {
  all: {},
  source: { isFork: false, isMirror: false },
  fork: { isFork: true },
  mirror: { isMirror: true },
  template: { isTemplate: true },
  archived: { isArchived: true },
  public: { isPrivate: false },
  private: { isPrivate: true },
};
/** The filters of Gitea's links, each a parameter of 1 or 0. */
const FLAGS = { archived: 'isArchived', fork: 'isFork', mirror: 'isMirror', template: 'isTemplate', private: 'isPrivate' } as const;
const MAX_WORDS = 255;

/** The filter and order of a list of repositories, as in the URL. */
export interface RepositoryChoice {
  readonly keyword: string;
  readonly sort: keyof Sorts;
  readonly kind: keyof Kinds;
  readonly flags: readonly Flag[];
  /** The language that most of it is written in. */
  readonly language: string;
}

type Flag = readonly [name: keyof typeof FLAGS, value: boolean];

/** Parses it from the query; invalid values are ignored. */
export function readRepositoryChoice(fields: FormFields): RepositoryChoice {
  return {
    keyword: (fields.get('q') ?? '').trim().slice(0, MAX_WORDS),
    sort: namesOf(ORDERS).find((name) => name === fields.get('sort')) ?? 'recentupdate',
    kind: namesOf(KINDS).find((name) => name === fields.get('type')) ?? 'all',
    flags: namesOf(FLAGS).flatMap((name): Flag[] => {
      const value = readFlag(fields.get(name));
      return value === undefined ? [] : [[name, value]];
    }),
    language: (fields.get('language') ?? '').trim().slice(0, MAX_WORDS),
  };
}

/** A parameter of 1 or 0; undefined for another value. */
export function readFlag(value: string | undefined): boolean | undefined {
  return value !== undefined && /^(?:[01]|true|false)$/.test(value) ? value === '1' || value === 'true' : undefined;
}

/** Whether anything is left out. */
export function isNarrowed({ keyword, kind, flags, language }: RepositoryChoice): boolean {
  return keyword !== '' || kind !== 'all' || flags.length > 0 || language !== '';
}

/** The choice as a search. */
export function searchOf({ keyword, sort, kind, flags, language }: RepositoryChoice) {
  const ofFlags: KindFilter = Object.fromEntries(flags.map(([name, value]) => [FLAGS[name], value]));
  return { ...KINDS[kind], ...ofFlags, keyword, inDescription: true, language: language || undefined, order: ORDERS[sort] };
}

/** The fields of the choice. @param more further fields */
export function repositorySearchForm(
  view: View,
  action: string,
  { keyword, sort, kind, flags, language }: RepositoryChoice,
  more: Html | false = false,
): Html {
  const { people: text, common } = view.text;
  const choice = (name: string, label: string, labels: Readonly<Record<string, string>>, chosen: string) =>
    html`<select name="${name}" aria-label="${label}" data-submit>${Object.entries(labels).map(
      ([value, shown]) => html`<option value="${value}"${value === chosen && html` selected`}>${shown}</option>`,
    )}</select>`;
  return html`<form class="row filters" role="search" aria-label="${common.searchRepositories}" action="${action}">
<input type="search" name="q" value="${keyword}" maxlength="${MAX_WORDS}" aria-label="${text.words}" placeholder="${common.searchRepositories}">
${choice('type', text.kind, text.kinds, kind)}${choice('sort', text.sort, text.sorts, sort)}${more}${flags.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value ? 1 : 0}">`)}
${language !== '' && html`<input type="hidden" name="language" value="${language}">`}<button>${text.search}</button></form>
${flags.length + (language === '' ? 0 : 1) > 0 && html`<p class="chosen">${flags.map(([name, value]) => chip(view, name, value ? text.kinds[name] : text.not(text.kinds[name])))}${language !== '' && chip(view, 'language', language)}</p>`}`;
}

/** The filters that a link has set, each with a link that removes it. */
function chip(view: View, name: string, label: string): Html {
  return html`<a class="badge" href="${withParameter(view, name, undefined)}">${label} ${icon(view, 'x')}</a> `;
}

function namesOf<Name extends string>(table: Readonly<Record<Name, unknown>>): Name[] {
  return Object.keys(table) as Name[];
}
