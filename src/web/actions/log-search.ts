import { searchLines } from '../../actions/tasks/logs/read.ts';
import type { Context } from '../../context.ts';
import type { FormFields } from '../../http/bodies/fields.ts';
import { type Html, html } from '../html.ts';
import type { View } from '../view.ts';
import { foundLine, lineId, readLogLine, type ShownStep } from './log-lines.ts';

/** Length limit of a search in characters, and maximum number of lines found. */
const MAX_WORDS = 200;
const MAX_FOUND = 200;
/** Escape sequences of terminals. */
const CONTROLS = /\x1b\[[\d;?]*[@-~]|[\x00-\x08\x0b-\x1f\x7f]/g;

/** The field that searches the log of a step. */
export function searchForm({ text: { actions: text } }: View, { step, here }: ShownStep, words: string): Html {
  return html`<form class="log-bar" role="search" aria-label="${text.searchLog}" action="${here}#step-${step.number}"><input type="hidden" name="step" value="${step.number}">
<input type="search" name="q" value="${words}" maxlength="${MAX_WORDS}" aria-label="${text.searchLog}" placeholder="${text.searchLog}"><button>${text.search}</button>
${words !== '' && html`<a href="${here}?step=${step.number}#step-${step.number}">${text.wholeLog}</a>`}</form>`;
}

/** The field that goes to a line of the log of a step. */
export function lineField({ text: { source } }: View, { step, here }: ShownStep): Html {
  return html`<form class="log-bar line-form" action="${here}"><input type="hidden" name="step" value="${step.number}">
<input name="to" required pattern="[0-9]{1,9}" size="8" inputmode="numeric" autocomplete="off" aria-label="${source.goToLine}" data-key="l"><button>${source.goToLine}</button></form>`;
}

/** The target of that field on the page of the job; undefined if no line is requested. */
export function logLineAsked(fields: FormFields): string | undefined {
  const [step = '', line = ''] = [fields.get('step'), fields.get('to')?.trim()];
  if (!/^\d{1,9}$/.test(step) || !/^\d{1,9}$/.test(line)) return undefined;
  return `?step=${Number(step)}&line=${Number(line)}#${lineId(Number(step), Number(line))}`;
}

/** The lines of a step that contain the words, each with a link to it. */
export async function logMatches(view: View, context: Context, { task, step, here }: ShownStep, asked: string): Promise<Html> {
  const { actions: text } = view.text;
  const words = asked.slice(0, MAX_WORDS).toLowerCase();
  const { log_index: first, log_length: length, number } = step;
  const matches = (line: string) => readLogLine(line).text.replaceAll(CONTROLS, '').toLowerCase().includes(words);
  const { lines, until } = await searchLines(context, task, { first, end: first + length, count: MAX_FOUND, matches });
  const rows = lines.map(([at, line]) => {
    const found = at - first + 1;
    return foundLine({ step: number, number: found }, readLogLine(line), here);
  });
  const searched = until - first;
  return html`<p class="log-note" role="status">${text.found(lines.length)} ${searched < length && html`<span class="muted">${text.searchedUpTo(searched, length)}</span>`}</p>
${rows.length > 0 && html`<div class="log" tabindex="0" role="region" aria-label="${text.logOf(step.name)}">${rows}</div>`}`;
}
