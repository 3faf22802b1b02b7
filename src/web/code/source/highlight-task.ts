import { unhurried } from '../../../markup/deadline.ts';
import { highlightLines } from './highlight-lines.ts';

/** A source, and the grammar that it is read by. */
export interface Source {
  readonly text: string;
  readonly grammar: string;
}

/** Milliseconds for one source. */
const DEADLINE_MS = 3_000;

/** Highlights sources, see {@link highlightLines}. */
export async function run(sources: readonly Source[]): Promise<string[]> {
  return await unhurried(() => sources.map(({ text, grammar }) => highlightLines(text, grammar, DEADLINE_MS)));
}
