import type { DiffPosition } from '../../code/diff/options.ts';

/** Lines of a file that something is said about. */
export interface CommentedLines extends DiffPosition {
  readonly path: string;
  /** The first of the lines; `line` is the last. */
  readonly first: number;
}

/** A line of a file, as forms and URLs of these pages name it: `new:12:path`, and `new:10-12:path` for several. */
export function linesKey(path: string, { side, line }: DiffPosition, first = line): string {
  return `${side}:${first === line ? line : `${first}-${line}`}:${path}`;
}

/** Reads a {@link linesKey}; undefined for an invalid one. */
export function readLinesKey(given: string): CommentedLines | undefined {
  const [, side, from, to, path] = /^(old|new):(\d{1,9})(?:-(\d{1,9}))?:(.+)$/s.exec(given) ?? [];
  if (path === undefined) return undefined;
  const ends = [Number(from), Number(to ?? from)];
  return { path, side: side === 'old' ? 'old' : 'new', first: Math.min(...ends), line: Math.max(...ends) };
}
