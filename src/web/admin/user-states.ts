import type { FormFields } from '../../http/bodies/fields.ts';
import { menu } from '../components/menu.ts';
import { withParameter } from '../components/pages.ts';
import { type Html, html } from '../html.ts';
import { icon, type View } from '../view.ts';
import { flagMenu } from './flag-menu.ts';

/** The filters, by the parameters of the API; Gitea's page has them as `status_filter[is_admin]`. */
const KINDS = ['is_active', 'is_admin', 'is_prohibit_login', 'is_restricted', 'is_2fa_enabled'] as const;
type Kind = (typeof KINDS)[number];
/** The filters that an account must or must not match. */
export type States = Partial<Record<Kind, boolean>>;

/** Parses them from the query of the list. */
export function readStates(fields: FormFields): States {
  const states: States = {};
  for (const name of KINDS) {
    const value = fields.get(nameOf(name));
    if (value === '1' || value === '0') states[name] = value === '1';
  }
  return states;
}

/** The menu of the filters, with the number of those that are set. */
export function stateMenu(view: View, states: States): Html {
  const { admin: text, issues } = view.text;
  const set = Object.keys(states).length;
  const filters = KINDS.map((name) => flagMenu(view, { name: nameOf(name), label: text.kinds[name], value: states[name] }));
  return menu(html`${issues.filters} ${set > 0 && html`<span class="count">${set}</span>`}`, filters);
}

/** The filters that are set, each with a link that removes it. */
export function chosenStates(view: View, states: States): Html | false {
  const { admin: text, people } = view.text;
  const set = KINDS.filter((name) => states[name] !== undefined);
  if (set.length === 0) return false;
  const label = (name: Kind) => (states[name] ? text.kinds[name] : people.not(text.kinds[name]));
  return html`<p class="chosen">${set.map((name) => html`<a class="badge" href="${withParameter(view, nameOf(name), undefined)}">${label(name)} ${icon(view, 'x')}</a> `)}</p>`;
}

function nameOf(kind: Kind): string {
  return `status_filter[${kind}]`;
}
