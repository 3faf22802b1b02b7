import type { FormFields } from '../../http/fields.ts';
import { type Html, html } from '../html.ts';
import type { View } from '../view.ts';
import { flagMenu } from './flag-menu.ts';

/** The filters, by the parameters of the API; Gitea's page has them as `status_filter[is_admin]`. */
const KINDS = ['is_active', 'is_admin', 'is_prohibit_login', 'is_restricted', 'is_2fa_enabled'] as const;
/** The filters that an account must or must not match. */
export type States = Partial<Record<(typeof KINDS)[number], boolean>>;

/** Parses them from the query of the list. */
export function readStates(fields: FormFields): States {
  const states: States = {};
  for (const name of KINDS) {
    const value = fields.get(`status_filter[${name}]`);
    if (value === '1' || value === '0') states[name] = value === '1';
  }
  return states;
}

/** A menu for each filter. */
export function stateMenus(view: View, states: States): Html {
  return html`${KINDS.map((name) => flagMenu(view, { name: `status_filter[${name}]`, label: view.text.admin.kinds[name], value: states[name] }))}`;
}
