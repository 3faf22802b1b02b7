import type { Context } from '../../../context.ts';
import { WorkerLimitError } from '../../../workers/errors.ts';
import { type Html, html } from '../../html.ts';
import type { View } from '../../view.ts';
import type { Location } from '../location.ts';
import { grammarOf } from '../source/language.ts';
import type * as task from './symbol-task.ts';
import { hasSymbols } from './symbol-task.ts';

/** Longer sources have no list of names. */
const MAX_TEXT = 2 * 1024 * 1024;
const TASK = new URL('./symbol-task.ts', import.meta.url);
const DEADLINE_MS = 2_000;

/** The names that a file defines, as links to their lines; nothing for other languages. */
export async function symbolPanel(view: View, context: Context, location: Location, oid: string, text: string): Promise<Html | false> {
  const grammar = grammarOf(location.path);
  if (!hasSymbols(grammar) || text.length > MAX_TEXT) return false;
  const { git } = context;
  const read = () => symbolsOf(context, { text, grammar });
  const folder = git.locate(location.repository);
  const symbols = await git.pool.cache.remember(folder, `symbols ${oid} ${grammar}`, (found) => 150 * found.length, read);
  if (symbols.length === 0) return false;
  const links = symbols.map(
    ({ name, kind, line, depth }) =>
      html`<li class="depth-${depth}"><a href="#L${line}"><span class="symbol ${kind}" aria-hidden="true">${view.text.source.kinds[kind]}</span> ${name}</a></li>\n`,
  );
  return html`<details class="symbols"><summary>${view.text.source.symbols(symbols.length)}</summary><nav aria-label="${view.text.source.symbolList}"><ul>${links}</ul></nav></details>`;
}

async function symbolsOf({ workers }: Context, request: task.SymbolRequest): Promise<task.SourceSymbol[]> {
  try {
    return await workers.run<typeof task>(TASK, request, { deadlineMs: DEADLINE_MS });
  } catch (error) {
    if (error instanceof WorkerLimitError) return [];
    throw error;
  }
}
