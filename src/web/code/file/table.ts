import type { Context } from '../../../context.ts';
import { type Html, html } from '../../html.ts';
import type { View } from '../../view.ts';
import type * as task from './table-task.ts';

const TASK = new URL('./table-task.ts', import.meta.url);
/** Longer files are shown as text. */
const MAX_TEXT = 2 * 1024 * 1024;

/** Whether a file is a table by its name. */
export function isTable(path: string): boolean {
  return /\.(?:csv|tsv)$/i.test(path);
}

/** The rows of a file of comma-separated values, with their numbers; undefined for a file that is too long. */
export async function tableView(view: View, context: Context, path: string, text: string): Promise<Html | undefined> {
  if (text.length > MAX_TEXT) return undefined;
  const separator = /\.tsv$/i.test(path) ? '\t' : undefined;
  const { rows, isCut } = await context.workers.run<typeof task>(TASK, { text, separator });
  const [head = [], ...rest] = rows;
  const note = isCut && html`<p class="muted">${view.text.source.tableCut}</p>`;
  return html`${note}<div class="scroll" tabindex="0" role="region" aria-label="${view.text.source.valuesOf(path)}"><table class="values"><thead><tr><th class="n" scope="col">1</th>${head.map((value) => html`<th scope="col">${value}</th>`)}</tr></thead>
<tbody>${rest.map((row, index) => html`<tr><th class="n" scope="row">${index + 2}</th>${row.map((value) => html`<td>${value}</td>`)}</tr>\n`)}</tbody></table></div>`;
}
