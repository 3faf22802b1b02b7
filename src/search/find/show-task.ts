import type { Query } from '../query/query.ts';
import { matchersOf, type Span } from './matcher.ts';
import { type IndexMemory, textReader } from './texts.ts';

/*
 * The excerpts of files on a page of results, made in a worker: the first matching lines with their context.
 */

/** Files whose lines are to be shown. */
export interface ShowRequest {
  readonly query: Query;
  readonly files: readonly (IndexMemory & { readonly file: number })[];
  /** Milliseconds after which the search for matches stops. */
  readonly maxMs: number;
}

/** A line of a file. */
export interface ShownLine {
  /** From 1. */
  readonly number: number;
  /** The line, or a part of a long one. */
  readonly text: string;
  /** Its matches, in order, in UTF-16 units; none in the lines around. */
  readonly matches: readonly Span[];
  /** Something of the line is left out before or after its text. */
  readonly isCut: boolean;
}

/** The facts of a shown file. */
export interface ShownFile {
  readonly path: string;
  readonly oid: string;
  readonly language: string;
  readonly size: number;
  readonly flags: number;
  /** In order, with gaps. */
  readonly lines: readonly ShownLine[];
}

/** Lines of a file that match, lines around each, and characters of a line. */
const MAX_LINES = 5;
const AROUND = 1;
const MAX_CHARACTERS = 240;
/** Characters that are shown before a match in a long line. */
const BEFORE = 60;
/** Places that are looked at of each term. */
const MAX_PLACES = 200;

/** One for each file, in their order. */
export function run({ query, files, maxMs }: ShowRequest): ShownFile[] {
  const until = performance.now() + maxMs;
  const matchers = matchersOf(query);
  return files.map(({ file, ...memory }) => {
    const { files: table, read } = textReader(memory);
    const { path, oid, language, size, flags } = table.at(file);
    const text = matchers.length === 0 ? '' : read(file);
    const places = matchers.flatMap((matcher) => {
      const found: Span[] = [];
      matcher.find(text, (span) => found.push(span) < MAX_PLACES, until);
      return found;
    });
    return { path, oid, language: language[0] ?? '', size, flags, lines: linesOf(text, places) };
  });
}

function linesOf(text: string, places: readonly Span[]): ShownLine[] {
  const starts = lineStarts(text);
  const byLine = new Map<number, Span[]>();
  for (const place of places.toSorted((a, b) => a.start - b.start)) {
    const line = lineAt(starts, place.start);
    const known = byLine.get(line);
    if (known) known.push(place);
    else byLine.set(line, [place]);
  }
  const matching = [...byLine.keys()].sort((a, b) => a - b).slice(0, MAX_LINES);
  const shown = new Set(matching.flatMap((line) => Array.from({ length: 2 * AROUND + 1 }, (_, at) => line - AROUND + at)));
  return [...shown]
    .filter((line) => line >= 0 && line < starts.length)
    .sort((a, b) => a - b)
    .map((line) => {
      const spans = matching.includes(line) ? (byLine.get(line) ?? []) : [];
      const end = (starts[line + 1] ?? text.length + (text.endsWith('\n') ? 0 : 1)) - 1;
      return shownLine(text, line, { start: starts[line] ?? 0, end }, spans);
    });
}

/** The start of each line; text after the last line end is a line too. */
function lineStarts(text: string): number[] {
  const starts = text === '' ? [] : [0];
  for (let at = text.indexOf('\n'); at !== -1 && at + 1 < text.length; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

function lineAt(starts: readonly number[], position: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((starts[middle] ?? 0) <= position) low = middle;
    else high = middle - 1;
  }
  return low;
}

function shownLine(text: string, line: number, { start, end }: Span, places: readonly Span[]): ShownLine {
  const whole = text.slice(start, end).replace(/\r$/, '');
  const first = (places[0]?.start ?? start) - start;
  const from = whole.length <= MAX_CHARACTERS || first < MAX_CHARACTERS - BEFORE ? 0 : characterAt(whole, first - BEFORE);
  const to = whole.length - from <= MAX_CHARACTERS ? whole.length : characterAt(whole, from + MAX_CHARACTERS);
  const matches: { start: number; end: number }[] = [];
  for (const place of places) {
    const span = { start: Math.max(0, place.start - start - from), end: Math.min(to, place.end - start) - from };
    const last = matches.at(-1);
    if (span.start >= span.end) continue;
    if (last && span.start <= last.end) last.end = Math.max(last.end, span.end);
    else matches.push(span);
  }
  return { number: line + 1, text: whole.slice(from, to), matches, isCut: from > 0 || to < whole.length };
}

/** A position that does not split a surrogate pair. */
function characterAt(text: string, position: number): number {
  return /[\udc00-\udfff]/.test(text[position] ?? '') ? position - 1 : position;
}
