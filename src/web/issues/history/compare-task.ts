import type { DiffLine } from '../../../git/diff/patch-text.ts';
import { type ShownLine, shownLines } from '../../code/diff/diff-task.ts';
import { commonParts } from '../../code/diff/words.ts';

/** Two versions of a text. */
export interface TwoTexts {
  readonly before: string;
  readonly after: string;
}

/** Lines that are shown, after so many that are the same in both versions and are left out. */
export interface ComparedPart {
  readonly skipped: number;
  readonly lines: readonly ShownLine[];
}

/** Lines of the parts that differ; in longer ones all count as changed. */
const MAX_LINES = 2_000;
/** Lines that are shown around each change. */
const AROUND = 4;

/** The diff of two texts, by lines and, within lines, by words. The last part only has the omitted lines at the end. */
export function run({ before, after }: TwoTexts): ComparedPart[] {
  const lines = comparedLines(linesOf(before), linesOf(after));
  const isShown = nearChanges(lines);
  const parts: ComparedPart[] = [];
  for (let at = 0; at < lines.length; ) {
    const from = runEnd(isShown, at, false);
    const to = runEnd(isShown, from, true);
    parts.push({ skipped: from - at, lines: shownLines(lines.slice(from, to), 'markdown') });
    at = to;
  }
  return parts;
}

/** Browsers have their own line ends, which mean nothing. */
function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/);
}

function comparedLines(old: readonly string[], now: readonly string[]): DiffLine[] {
  const shortest = Math.min(old.length, now.length);
  let start = 0;
  while (start < shortest && old[start] === now[start]) start++;
  let end = 0;
  while (end < shortest - start && old[old.length - 1 - end] === now[now.length - 1 - end]) end++;
  const kept = commonParts(old.slice(start, old.length - end), now.slice(start, now.length - end), MAX_LINES);
  const isKept = (index: number, length: number, common: ReadonlySet<number>) =>
    index < start || index >= length - end || common.has(index - start);
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    while (i < old.length && !isKept(i, old.length, kept.old)) lines.push(line('removed', old[i++]));
    while (j < now.length && !isKept(j, now.length, kept.now)) lines.push(line('added', now[j++]));
    if (i < old.length) lines.push(line('context', now[j]));
    i++;
    j++;
  }
  return lines;
}

function line(kind: DiffLine['kind'], text = ''): DiffLine {
  return { kind, text, oldLine: undefined, newLine: undefined, noNewline: false };
}

function nearChanges(lines: readonly DiffLine[]): boolean[] {
  const isNear = new Array<boolean>(lines.length).fill(false);
  for (const [at, { kind }] of lines.entries()) {
    if (kind !== 'context') isNear.fill(true, Math.max(0, at - AROUND), at + AROUND + 1);
  }
  return isNear;
}

/** The next position with another value. */
function runEnd(values: readonly boolean[], from: number, value: boolean): number {
  let at = from;
  while (at < values.length && values[at] === value) at++;
  return at;
}
