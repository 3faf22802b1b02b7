import { isDone } from '../../actions/jobs/status.ts';
import { readLines } from '../../actions/tasks/logs/read.ts';
import type { Context } from '../../context.ts';
import { type Html, html } from '../html.ts';
import { toSignIn } from '../page.ts';
import type { RepositoryVisit } from '../resource-pages.ts';
import { codeLinks } from './code-links.ts';
import { logBlocks, logRows, type ShownStep } from './log-lines.ts';
import { lineField, logMatches, searchForm } from './log-search.ts';

/** Lines of a log on one page, and in one response to an open page. */
export const LOG_PAGE = 500;

/** Lines of the log of a step: the search results, or those around the requested line, or the last ones, which show how it ended. */
export async function stepLog(visit: RepositoryVisit, context: Context, shown: ShownStep): Promise<Html> {
  const { view, fields, request } = visit;
  const { task, step } = shown;
  const { actions: text } = view.text;
  if (!context.actor) {
    const { location = '' } = toSignIn(context, request).headers;
    return html`<p class="log-note"><a href="${location}">${text.signInForLog}</a></p>`;
  }
  if (task.log_expired) return html`<p class="log-note">${text.logGone}</p>`;
  if (step.log_length === 0 && isDone(step.status)) return html`<p class="log-note">${text.noLines}</p>`;
  const words = (fields.get('q') ?? '').trim();
  if (words !== '') return html`${searchForm(view, shown, words)}${await logMatches(view, context, shown, words)}`;
  const bars = step.log_length > 0 && html`<div class="log-bars">${searchForm(view, shown, words)}${lineField(view, shown)}</div>`;
  return html`${bars}${await logPart(visit, context, shown)}`;
}

async function logPart(visit: RepositoryVisit, context: Context, { task, step, here }: ShownStep): Promise<Html> {
  const { view, fields } = visit;
  const { actions: text } = view.text;
  const { log_index: start, log_length: total, number } = step;
  const first = firstLine(total, { part: fields.get('part'), line: fields.get('line') });
  const lines = await readLines(context, task, start + first - 1, Math.min(LOG_PAGE, total - first + 1));
  if (lines.length === 0 && total > 0) return html`<p class="log-note">${text.logGone}</p>`;
  const code = await codeLinks(visit, context, task.commit_sha, lines);
  const next = first + lines.length;
  const link = (className: string, line: number, label: string) =>
    html`<p class="log-note ${className}"><a href="${here}?step=${number}&amp;line=${line}#step-${number}">${label}</a>
<span class="muted" data-range>${text.lines(first, next - 1, total)}</span></p>`;
  return html`<div class="log" tabindex="0" role="region" aria-label="${text.logOf(step.name)}" data-step="${number}" data-first="${first}" data-next="${next}" data-total="${total}">
${first > 1 && link('log-earlier', Math.max(1, first - LOG_PAGE), text.earlier)}${logBlocks(await logRows(lines, { step: number, first, code }), !isDone(step.status))}
${next <= total && link('log-later', next, text.later)}</div>`;
}

/** Number of the first line that is shown; 1 is the first line of the step. */
function firstLine(total: number, { part, line }: { part: string | undefined; line: string | undefined }): number {
  const last = Math.max(1, (Math.ceil(total / LOG_PAGE) - 1) * LOG_PAGE + 1);
  const asked = /^\d{1,9}$/.test(line ?? '') ? Number(line) : /^\d{1,7}$/.test(part ?? '') ? (Number(part) - 1) * LOG_PAGE + 1 : last;
  if (asked < 1 || asked > total) return last;
  return asked - ((asked - 1) % LOG_PAGE);
}
