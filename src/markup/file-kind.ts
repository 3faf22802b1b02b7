import { trimEnd } from '../text/trim-end.ts';
import { looksLikeConsole } from './files/console.ts';

/** Kinds of files that have a rendering. */
export type FileKind = 'markdown' | 'org' | 'csv' | 'console' | 'asciicast';

const ENDINGS: [RegExp, FileKind][] = [
  [/\.(md|markdown|mdown|mkd|livemd)$/i, 'markdown'],
  [/\.org$/i, 'org'],
  [/\.(csv|tsv)$/i, 'csv'],
  [/\.sh-session$/i, 'console'],
  [/\.cast$/i, 'asciicast'],
];

/** The kind of a file by its name, or, for terminal output, by its beginning; undefined if it cannot be rendered. */
export function fileKind(path: string, text = ''): FileKind | undefined {
  const whole = trimEnd(path, '/');
  const name = whole.slice(whole.lastIndexOf('/') + 1);
  return ENDINGS.find(([ending]) => ending.test(name))?.[1] ?? (looksLikeConsole(text) ? 'console' : undefined);
}
