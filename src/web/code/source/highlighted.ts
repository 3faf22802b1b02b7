import type { Context } from '../../../context.ts';
import { RenderLimitError } from '../../../markup/deadline.ts';
import { escapeHtml } from '../../../text/escape-html.ts';
import { WorkerLimitError } from '../../../workers/errors.ts';
import { highlightLines } from './highlight-lines.ts';
import type * as task from './highlight-task.ts';

/** Up to this many characters this thread highlights by itself, for as many milliseconds at most. */
const SMALL = 3_000;
const PATIENCE_MS = 15;
const DEADLINE_MS = 10_000;
const TASK = new URL('./highlight-task.ts', import.meta.url);

/** Sources as lines of HTML, see {@link highlightLines}: small ones at once, others in a worker. What takes too long has no colours. */
export async function highlighted({ workers }: Pick<Context, 'workers'>, sources: readonly task.Source[]): Promise<string[]> {
  const length = sources.reduce((sum, { text }) => sum + text.length, 0);
  try {
    if (length <= SMALL) return sources.map(({ text, grammar }) => highlightLines(text, grammar, PATIENCE_MS, { strict: true }));
  } catch (error) {
    if (!(error instanceof RenderLimitError)) throw error;
  }
  try {
    return await workers.run<typeof task>(TASK, sources, { deadlineMs: DEADLINE_MS });
  } catch (error) {
    if (error instanceof WorkerLimitError) return sources.map(({ text }) => escapeHtml(text));
    throw error;
  }
}
