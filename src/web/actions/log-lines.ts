import { setImmediate } from 'node:timers/promises';
import type { ActionTask, ActionTaskStep } from '../../database/tables/actions.ts';
import { renderConsole } from '../../markup/files/console.ts';
import { Html, html } from '../html.ts';
import { annotatedText } from './log-commands.ts';

/** Characters of a line that are shown; the raw log is complete. */
const MAX_SHOWN = 1000;
/** Lines that are rendered before other requests get their turn. */
const SLICE = 50;
/** Lines of a block, and blocks of a part; the style sheet guesses their heights, and the script fills them likewise. */
const BLOCK = 100;
const PART = 5 * BLOCK;

const LINE = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.\d+Z (.*)$/s;
const COMMAND =
  /^(?:##\[(group|endgroup|error|warning|notice|debug|command)\]|::(group|endgroup|error|warning|notice|debug)(?: ([^:]*))?::)(.*)$/s;

/** Turns the file names in the markup of a line into links. */
export type CodeLinks = (line: Html) => Html;

/** A line of a log: its time and its text. */
export interface LogLine {
  /** By the clock of the runner; empty if the line has no time. */
  readonly time: string;
  /** The workflow command of the line (https://docs.github.com/actions/reference/workflow-commands-for-github-actions). */
  readonly kind: 'text' | 'group' | 'endgroup' | 'error' | 'warning' | 'notice' | 'debug' | 'command';
  readonly text: string;
}

/** A step whose log is shown. */
export interface ShownStep {
  readonly task: ActionTask;
  readonly step: ActionTaskStep;
  /** The path of the page of the job. */
  readonly here: string;
}

/** Parses a line of a log. */
export function readLogLine(line: string): LogLine {
  const [, time = '', content = line] = LINE.exec(line) ?? [];
  const [, newer, older, parameters, text = content] = COMMAND.exec(content) ?? [];
  const kind = (newer ?? older ?? 'text') as LogLine['kind'];
  return { time, kind, text: older === undefined ? text : annotatedText(parameters ?? '', text) };
}

/** The text of a line with its colours as classes. */
export function lineText(text: string): Html {
  const shown = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
  // Text without control characters needs no interpretation.
  return /[\x00-\x08\x0b-\x1f\x7f]/.test(shown) ? new Html(renderConsole(shown)) : html`${shown}`;
}

/** The id of a line of a step, used by links. */
export function lineId(step: number, line: number): string {
  return `jobstep-${step}-${line}`;
}

/** A line in a page. The lines after a `group` belong to it, up to an `end`, which renders nothing. */
export interface LogRow {
  readonly kind: 'line' | 'group' | 'end';
  readonly html: Html;
}

/** Lines of a log, starting at the line `first` of the step. @param code turns file names into links */
export async function logRows(
  lines: readonly string[],
  { step, first, code }: { step: number; first: number; code: CodeLinks },
): Promise<LogRow[]> {
  const rows: LogRow[] = [];
  for (const [at, line] of lines.entries()) {
    if (at > 0 && at % SLICE === 0) await setImmediate();
    const { kind, text, time } = readLogLine(line);
    const number = first + at;
    if (kind === 'endgroup') rows.push({ kind: 'end', html: html`` });
    else if (kind === 'group')
      rows.push({ kind, html: html`<summary id="${lineId(step, number)}">${lineText(text.trim() || '…')}</summary>` });
    else rows.push({ kind: 'line', html: numbered({ step, number }, { time, kind, text }, code) });
  }
  return rows;
}

/** Lines with the groups folded, in blocks of parts that browsers lay out when they come into view: hundreds of blocks without parts take time in each frame. A group without an end is open while `isRunning`. */
export function logBlocks(rows: readonly LogRow[], isRunning: boolean): Html {
  const whole = new Blocks();
  let group: { summary: Html; lines: Blocks } | undefined;
  const close = (isUnfinished: boolean) => {
    if (group) whole.add(groupOf(group.summary, group.lines.html, { isUnfinished, isOpen: isUnfinished && isRunning }));
    group = undefined;
  };
  for (const { kind, html } of rows) {
    if (kind === 'line') (group?.lines ?? whole).add(html);
    else close(false);
    if (kind === 'group') group = { summary: html, lines: new Blocks() };
  }
  close(true);
  return whole.html;
}

/** A group of lines. */
export function groupOf(summary: Html, lines: Html, { isUnfinished, isOpen }: { isUnfinished: boolean; isOpen: boolean }): Html {
  return html`<details class="log-group"${isOpen && html` open`}${isUnfinished && html` data-unfinished`}>${summary}<div>${lines}</div></details>`;
}

class Blocks {
  #text = '';
  #rows = 0;

  add(row: Html): void {
    if (this.#rows % BLOCK === 0) {
      const isFirst = this.#rows % PART === 0;
      this.#text += `${this.#rows === 0 ? '' : isFirst ? '</div></div>' : '</div>'}${isFirst ? '<div class="log-part">' : ''}<div class="log-block">`;
    }
    this.#text += row.text;
    this.#rows++;
  }

  get html(): Html {
    return new Html(this.#rows > 0 ? `${this.#text}</div></div>` : '');
  }
}

/**
 * A line with its number, which the style sheet shows: thousands of links would be as many stops of the Tab key, and lines are too low for
 * targets. A script follows clicks on numbers, and a field leads to lines.
 */
export function numbered({ step, number }: { step: number; number: number }, { kind, text, time }: LogLine, code: CodeLinks): Html {
  const title = time && html` title="${time.replace('T', ' ')} UTC"`;
  return html`<div class="log-line ${kind}" id="${lineId(step, number)}" data-n="${number}"${title}><code>${code(lineText(text))}</code></div>\n`;
}

/** A line that was found, with a link to it in the log. @param here the page that has it */
export function foundLine({ step, number }: { step: number; number: number }, { kind, text }: LogLine, here: string): Html {
  return html`<div class="log-line found ${kind}"><a href="${here}?step=${step}&amp;line=${number}#${lineId(step, number)}">${number}</a><code>${lineText(text)}</code></div>\n`;
}
