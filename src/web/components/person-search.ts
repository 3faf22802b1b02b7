import type { UserSort } from '../../accounts/users/search.ts';
import type { FormFields } from '../../http/bodies/fields.ts';
import { type Html, html } from '../html.ts';
import type { View } from '../view.ts';

type Sorts = View['text']['people']['personSorts'];

/** The orders of lists of people or organizations, by Gitea's names. */
const ORDERS: Readonly<Record<keyof Sorts, { sort: UserSort; descending: boolean }>> = {
  alphabetically: { sort: 'name', descending: false },
  reversealphabetically: { sort: 'name', descending: true },
  newest: { sort: 'created', descending: true },
  oldest: { sort: 'created', descending: false },
  recentupdate: { sort: 'updated', descending: true },
  leastupdate: { sort: 'updated', descending: false },
};
const MAX_WORDS = 255;

/** The filter and order of a list of people or organizations, as in the URL. */
export interface PersonChoice {
  readonly keyword: string;
  readonly order: keyof Sorts;
}

/** Parses it from the query; invalid values are ignored. */
export function readPersonChoice(fields: FormFields): PersonChoice {
  return {
    keyword: (fields.get('q') ?? '').trim().slice(0, MAX_WORDS),
    order: (Object.keys(ORDERS) as (keyof Sorts)[]).find((name) => name === fields.get('sort')) ?? 'alphabetically',
  };
}

/** The choice as a search. */
export function personSearchOf({ keyword, order }: PersonChoice) {
  return { keyword, ...ORDERS[order] };
}

/** The field of the words and the menu of the orders. @param more further fields */
export function personSearchForm(view: View, action: string, { keyword, order }: PersonChoice, more: Html | false = false): Html {
  const { people: text } = view.text;
  const options = Object.entries(text.personSorts).map(
    ([value, label]) => html`<option value="${value}"${value === order && html` selected`}>${label}</option>`,
  );
  return html`<form class="row filters" role="search" action="${action}" aria-label="${text.search}">
<input type="search" name="q" value="${keyword}" maxlength="${MAX_WORDS}" aria-label="${text.words}" placeholder="${text.search}">${more}
<select name="sort" aria-label="${text.sort}" data-submit>${options}</select><button>${text.search}</button></form>`;
}
