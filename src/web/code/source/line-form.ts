import type { FormFields } from '../../../http/bodies/fields.ts';
import { type Html, html } from '../../html.ts';
import type { View } from '../../view.ts';
import { type LineRange, queryOfRange, readRange } from './line-range.ts';

/**
 * Leads to a line or a range. Numbers of lines are not links: thousands of them would be as many stops of the Tab key, and lines of code
 * are too low for targets. A script follows clicks on them; this is for keys and for who has no scripts.
 */
export function lineForm(view: View, fields: FormFields): Html {
  const { source: text } = view.text;
  const kept = [...fields].filter(([name]) => name !== 'line' && name !== 'lines');
  return html`<form class="line-form row" action="${pathOf(view)}">${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<input name="line" required pattern="[0-9]{1,7}(-[0-9]{1,7})?" size="8" autocomplete="off" placeholder="${text.lineExample}" aria-label="${text.goToLine}" data-key="l"><button>${text.goToLine}</button></form>`;
}

/** Where the form leads, from the root of the host; undefined where no line is asked for. */
export function lineAsked(view: View, fields: FormFields): string | undefined {
  const range = readRange(fields.get('line'));
  if (!range) return undefined;
  const kept = new URLSearchParams([...fields].filter(([name]) => name !== 'line' && name !== 'lines'));
  return pathOf(view) + queryOfRange(range, kept);
}

/** The lines that this page marks: a fragment cannot name several of them without a script. */
export function linesMarked(fields: FormFields): LineRange | undefined {
  return readRange(fields.get('lines'));
}

const pathOf = ({ here }: View): string => here.split('?', 1)[0] ?? '';
