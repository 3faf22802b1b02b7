import { type Html, html } from '../html.ts';
import type { View } from '../view.ts';

/** A filter of a list, `1` or `0` in its URL, as a menu of a form. */
export function flagMenu(
  { text: { admin: text, people } }: View,
  { name, label, value }: { name: string; label: string; value: boolean | undefined },
): Html {
  const option = (given: string, shown: string, isChosen: boolean) =>
    html`<option value="${given}"${isChosen && html` selected`}>${shown}</option>`;
  return html`<select name="${name}" aria-label="${label}" data-submit>${option('', `${label}: ${text.any}`, value === undefined)}${option('1', label, value === true)}${option('0', people.not(label), value === false)}</select>`;
}
