import { searchLines } from '../../actions/tasks/logs/read.ts';
import type { Context } from '../../context.ts';
import { type Html, html } from '../html.ts';
import type { View } from '../view.ts';
import { numbered, readLogLine, type ShownStep } from './log-lines.ts';

/** Characters that are searched for, and lines that are found. */
const MAX_WORDS = 200;
const MAX_FOUND = 200;
/** What a terminal takes for colours and the like. */
const CONTROLS = /\x1b\[[\d;?]*[@-~]|[\x00-\x08\x0b-\x1f\x7f]/g;

/** The field that searches the log of a step. */
export function searchForm({ text: { actions: text } }: View, { step, here }: ShownStep, words: string): Html {
  return html`<form class="log-bar" role="search" aria-label="${text.searchLog}" action="${here}#step-${step.number}"><input type="hidden" name="step" value="${step.number}">
<input type="search" name="q" value="${words}" maxlength="${MAX_WORDS}" aria-label="${text.searchLog}" placeholder="${text.searchLog}"><button>${text.search}</button>
${words !== '' && html`<a href="${here}?step=${step.number}#step-${step.number}">${text.wholeLog}</a>`}</form>`;
}

/** The lines of a step that have some words, each with a link to its place. */
export async function logMatches(view: View, context: Context, { task, step, here }: ShownStep, asked: string): Promise<Html> {
  const { actions: text } = view.text;
  const words = asked.slice(0, MAX_WORDS).toLowerCase();
  const { log_index: first, log_length: length, number } = step;
  const matches = (line: string) => readLogLine(line).text.replaceAll(CONTROLS, '').toLowerCase().includes(words);
  const { lines, until } = await searchLines(context, task, { first, end: first + length, count: MAX_FOUND, matches });
  const rows = lines.map(([at, line]) => {
    const found = at - first + 1;
    return numbered({ step: number, number: found }, readLogLine(line), `${here}?step=${number}&line=${found}`);
  });
  const searched = until - first;
  return html`<p class="log-note" role="status">${text.found(lines.length)} ${searched < length && html`<span class="muted">${text.searchedUpTo(searched, length)}</span>`}</p>
${rows.length > 0 && html`<div class="log" tabindex="0" role="region" aria-label="${text.logOf(step.name)}">${rows}</div>`}`;
}
