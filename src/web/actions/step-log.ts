import { readLines } from '../../actions/tasks/logs/read.ts';
import type { Context } from '../../context.ts';
import type { ActionTask, ActionTaskStep } from '../../database/tables/actions.ts';
import { type Html, html } from '../html.ts';
import { toSignIn } from '../page.ts';
import type { RepositoryVisit } from '../resource-pages.ts';
import { logLines } from './log-lines.ts';

/** Lines of a log on one page. */
const PAGE = 500;

/** A page of the log of a step: the one that is asked for, else the last, since that says how it ended. */
export async function stepLog(
  visit: RepositoryVisit,
  context: Context,
  { task, step, here }: { task: ActionTask; step: ActionTaskStep; here: string },
): Promise<Html> {
  const { view, fields, request } = visit;
  const { actions: text } = view.text;
  if (!context.actor) {
    const { location = '' } = toSignIn(context, request).headers;
    return html`<p class="log-note"><a href="${location}">${text.signInForLog}</a></p>`;
  }
  if (task.log_expired) return html`<p class="log-note">${text.logGone}</p>`;
  const { log_index: start, log_length: length, number } = step;
  if (length === 0) return html`<p class="log-note">${text.noLines}</p>`;
  const pages = Math.ceil(length / PAGE);
  const asked = Number(fields.get('part')) || 0;
  const part = Number.isInteger(asked) && asked >= 1 && asked <= pages ? asked : pages;
  const first = (part - 1) * PAGE;
  const lines = await readLines(context, task, start + first, Math.min(PAGE, length - first));
  if (lines.length === 0) return html`<p class="log-note">${text.logGone}</p>`;
  const link = (to: number, label: string) =>
    to >= 1 && to <= pages && html`<a href="${here}?step=${number}&amp;part=${to}#step-${number}">${label}</a>`;
  const range = pages > 1 && html`<span class="muted">${text.lines(first + 1, first + lines.length, length)}</span>`;
  return html`${pages > 1 && html`<p class="log-note">${link(part - 1, text.earlier)} ${range}</p>`}
${await logLines(lines, first + 1, `jobstep-${number}`, text.group)}
${part < pages && html`<p class="log-note">${link(part + 1, text.later)}</p>`}`;
}
