import { type DiffLine, parseDiff } from './patch-text.ts';

/** Characters of a line, and of all lines, that a hunk has at most: each comment on the lines of a file keeps them. */
const MAX_LINE = 5000;
const MAX_HUNK = 64 * 1024;

/**
 * The part of a file's diff that ends with a line, for a comment on that line: at most the last `context` lines of its hunk, with a
 * matching header. Very long lines are cut.
 * @param diff the output of `git diff` for one file
 * @param line the number of the line on its side
 * @returns `undefined` if the line is not in the difference
 */
export function hunkAround(diff: string, line: number, side: 'old' | 'new', context: number): string | undefined {
  const [file] = parseDiff(diff, { maxFiles: 1, maxLines: Number.MAX_SAFE_INTEGER, maxLineLength: Number.MAX_SAFE_INTEGER - 1 }).files;
  for (const hunk of file?.hunks ?? []) {
    const end = hunk.lines.findIndex((one) => (side === 'old' ? one.oldLine : one.newLine) === line) + 1;
    if (end === 0) continue;
    const start = Math.max(0, end - context);
    const lines = hunk.lines.slice(start, end);
    const body = shortened(lines.map(({ kind, text }) => SIGNS[kind] + text));
    // A hunk that is complete up to the line keeps git's header, which also names the function around it.
    if (start === 0) return [hunk.header, ...body].join('\n');
    const before = hunk.lines.slice(0, start);
    const range = (first: number, without: DiffLine['kind']) => `${first + count(before, without)},${count(lines, without)}`;
    return [`@@ -${range(hunk.oldStart, 'added')} +${range(hunk.newStart, 'removed')} @@`, ...body].join('\n');
  }
  return undefined;
}

/**
 * The same for an unchanged line: the line and `context` lines before it.
 * @returns `undefined` if the text has no such line
 */
export function unchangedHunk(text: string, line: number, context: number): string | undefined {
  const lines = text.replace(/\n$/, '').split('\n');
  if (line < 1 || line > lines.length) return undefined;
  const start = Math.max(1, line - context);
  const shown = lines.slice(start - 1, line).map((one) => ` ${one.replace(/\r$/, '')}`);
  return [`@@ -${start},${shown.length} +${start},${shown.length} @@`, ...shortened(shown)].join('\n');
}

function shortened(lines: readonly string[]): string[] {
  const length = lines.reduce((sum, line) => sum + Math.min(line.length, MAX_LINE), 0);
  const max = length > MAX_HUNK ? Math.min(MAX_LINE, Math.floor(MAX_HUNK / lines.length)) : MAX_LINE;
  // A character outside of the first 65,536 is two units, of which one alone cannot be stored.
  return lines.map((line) => (line.length > max ? line.slice(0, max).replace(/[\ud800-\udbff]$/, '') : line));
}

const SIGNS: Readonly<Record<DiffLine['kind'], string>> = { added: '+', removed: '-', context: ' ' };

function count(lines: readonly DiffLine[], without: DiffLine['kind']): number {
  return lines.filter(({ kind }) => kind !== without).length;
}
