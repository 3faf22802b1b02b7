import { type DiffFile, type DiffHunk, type DiffLine, parseDiff } from '../../../git/diff/patch-text.ts';
import { escapeHtml } from '../../../text/escape-html.ts';
import { highlightLines } from '../source/highlight-lines.ts';
import { grammarOf } from '../source/language.ts';
import { markRanges } from './mark.ts';
import { changedWords, type Range } from './words.ts';

/** A piece of a patch, consisting of whole files. */
export interface DiffPiece {
  readonly patch: Uint8Array;
  /** Files whose lines are not shown. */
  readonly folded: ReadonlySet<string>;
  /** Limit of lines per file. */
  readonly maxLines: number;
}

/** A line with its code as HTML. */
export type ShownLine = Omit<DiffLine, 'text'> & { readonly html: string };

/** Lines that belong together. */
export interface ShownHunk extends Omit<DiffHunk, 'lines'> {
  /** The context in the hunk's header, such as the function. */
  readonly place: string;
  readonly lines: readonly ShownLine[];
}

/** The lines of a changed file. */
export interface ShownFile {
  /** Its current path; for a deleted file, its former path. */
  readonly path: string;
  readonly hunks: readonly ShownHunk[];
  /** Whether there are more lines than the limit. */
  readonly truncated: boolean;
  readonly isLfs: boolean;
  /** Whether time ran out, so that some lines are not highlighted. */
  readonly isHurried: boolean;
}

/** Milliseconds for highlighting one piece; later lines are not highlighted. */
const COLOUR_MS = 400;
const HUNK_MS = 100;
const MAX_LINE_LENGTH = 2_000;

/** Parses a piece of a patch and prepares its lines for a page: syntax highlighting, and marks on changed words. */
export function run({ patch, folded, maxLines }: DiffPiece): ShownFile[] {
  const text = Buffer.from(patch.buffer, patch.byteOffset, patch.length).toString('utf8');
  const bounds = { maxFiles: Number.MAX_SAFE_INTEGER, maxLines, maxLineLength: MAX_LINE_LENGTH };
  const endsAt = performance.now() + COLOUR_MS;
  return parseDiff(text, bounds).files.flatMap((file) => {
    const path = file.newPath ?? file.oldPath;
    return path === undefined || folded.has(path) ? [] : [shown(file, path, endsAt)];
  });
}

function shown({ hunks, truncated }: DiffFile, path: string, endsAt: number): ShownFile {
  const grammar = grammarOf(path);
  let isHurried = false;
  const coloured = (lines: readonly DiffLine[]) => {
    const start = performance.now();
    const shown = shownLines(lines, start < endsAt ? grammar : '');
    isHurried ||= start >= endsAt || performance.now() - start >= HUNK_MS;
    return shown;
  };
  const shown = hunks.map(({ lines, ...hunk }) => ({
    ...hunk,
    place: /^@@[^@]*@@ ?(.*)/.exec(hunk.header)?.[1] ?? '',
    lines: coloured(lines),
  }));
  return {
    path,
    truncated,
    isLfs: hunks.some(({ lines }) => lines.some(({ text }) => text === 'version https://git-lfs.github.com/spec/v1')),
    hunks: shown,
    isHurried,
  };
}

/** Consecutive lines, with highlighting and with marks on changed words. */
export function shownLines(lines: readonly DiffLine[], grammar: string): ShownLine[] {
  const old = colours(lines, 'added', grammar);
  const now = colours(lines, 'removed', grammar);
  const marks = marksOf(lines);
  return lines.map(({ text, ...line }, index) => {
    const coloured = (line.kind === 'removed' ? old : now).get(index) ?? escapeHtml(text);
    return { ...line, html: markRanges(coloured, marks.get(index) ?? []) };
  });
}

/** The highlighted lines of one side. Each hunk is highlighted by itself, as the rest of the file is not known here. */
function colours(lines: readonly DiffLine[], without: DiffLine['kind'], grammar: string): Map<number, string> {
  const found = new Map<number, string>();
  const indexes = [...lines.keys()].filter((index) => lines[index]?.kind !== without);
  const source = indexes.map((index) => lines[index]?.text.replaceAll('\r', '') ?? '').join('\n');
  const coloured = highlightLines(source, grammar, HUNK_MS).split('\n');
  if (coloured.length === indexes.length) for (const [at, index] of indexes.entries()) found.set(index, coloured[at] ?? '');
  return found;
}

/** The changed words of replaced lines: the first is compared with the first, and so on. */
function marksOf(lines: readonly DiffLine[]): Map<number, Range[]> {
  const marks = new Map<number, Range[]>();
  for (let at = 0; at < lines.length; ) {
    const removed = runLength(lines, at, 'removed');
    const added = runLength(lines, at + removed, 'added');
    for (let i = 0; i < Math.min(removed, added); i++) {
      const ranges = changedWords(lines[at + i]?.text.replace(/\r$/, '') ?? '', lines[at + removed + i]?.text.replace(/\r$/, '') ?? '');
      marks.set(at + i, ranges.removed);
      marks.set(at + removed + i, ranges.added);
    }
    at += Math.max(1, removed + added);
  }
  return marks;
}

/** Number of consecutive lines of a kind. */
function runLength(lines: readonly DiffLine[], from: number, kind: DiffLine['kind']): number {
  let at = from;
  while (lines[at]?.kind === kind) at++;
  return at - from;
}
