import { setImmediate } from 'node:timers/promises';
import { renderConsole } from '../../markup/files/console.ts';
import { Html, html } from '../html.ts';

/** Characters of a line that are shown; the raw log has all. */
const MAX_SHOWN = 1000;
/** Lines that are rendered before other requests come first. */
const SLICE = 50;

const LINE = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.\d+Z (.*)$/s;
const COMMAND =
  /^(?:##\[(group|endgroup|error|warning|notice|debug|command)\]|::(group|endgroup|error|warning|notice|debug)(?: [^:]*)?::)(.*)$/s;

/** A line of a log: when it was written, and what it says. */
export interface LogLine {
  /** By the clock of the runner; empty where it does not say. */
  readonly time: string;
  /** What it is, by the command of the workflow that it has (https://docs.github.com/actions/reference/workflow-commands-for-github-actions). */
  readonly kind: 'text' | 'group' | 'endgroup' | 'error' | 'warning' | 'notice' | 'debug' | 'command';
  readonly text: string;
}

/** Takes a line of a log apart. */
export function readLogLine(line: string): LogLine {
  const [, time = '', content = line] = LINE.exec(line) ?? [];
  const [, newer, older, text = content] = COMMAND.exec(content) ?? [];
  return { time, kind: (newer ?? older ?? 'text') as LogLine['kind'], text };
}

/** The text of a line with its colours as classes. */
export function lineText(text: string): Html {
  const shown = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
  // Without control characters nothing has to be interpreted.
  return /[\x00-\x08\x0b-\x1f\x7f]/.test(shown) ? new Html(renderConsole(shown)) : html`${shown}`;
}

/**
 * Lines of a log with their numbers, the groups folded.
 * @param first the number of the first line within its step
 * @param anchor what the ids of lines begin with
 */
export async function logLines(lines: readonly string[], first: number, anchor: string, groupLabel: string): Promise<Html> {
  const parts: Html[] = [];
  let isInGroup = false;
  for (const [at, line] of lines.entries()) {
    if (at > 0 && at % SLICE === 0) await setImmediate();
    const { kind, text, time } = readLogLine(line);
    const number = first + at;
    if (kind === 'endgroup') {
      if (isInGroup) parts.push(html`</div></details>`);
      isInGroup = false;
      continue;
    }
    if (kind !== 'group') {
      parts.push(numbered(number, anchor, { time, kind, text }));
      continue;
    }
    if (isInGroup) parts.push(html`</div></details>`);
    parts.push(html`<details class="log-group"><summary>${lineText(text.trim() || groupLabel)}</summary><div>`);
    isInGroup = true;
  }
  if (isInGroup) parts.push(html`</div></details>`);
  return html`<div class="log" tabindex="0">${parts}</div>`;
}

function numbered(number: number, anchor: string, { kind, text, time }: LogLine): Html {
  const id = `${anchor}-${number}`;
  return html`<div class="log-line ${kind}" id="${id}"><a href="#${id}"${time && html` title="${time.replace('T', ' ')} UTC"`}>${number}</a><code>${lineText(text)}</code></div>\n`;
}
