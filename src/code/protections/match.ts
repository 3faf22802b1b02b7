import type { Context } from '../../context.ts';
import { unprocessable } from '../../http/errors.ts';
import { expressionSize } from '../../text/expression-size.ts';
import { WorkerLimitError } from '../../workers/errors.ts';
import { takesFewSteps } from '../../workers/few-steps.ts';
import type * as task from './match-task.ts';
import { type PatternTask, run } from './match-task.ts';
import { hasPathPattern, isPattern } from './patterns.ts';

/** Dependencies of matching. */
export type Matching = Pick<Context, 'workers'>;

const TASK = new URL('./match-task.ts', import.meta.url);
/** Milliseconds for all patterns and texts of one call. */
const DEADLINE_MS = 2000;

/**
 * The indexes of the patterns that match each of the texts; for branches and paths only the first pattern. Rules, names and paths come from
 * users: what may take long is matched in a worker.
 * @throws HttpError 422 where it takes too long
 */
export async function matchPatterns(
  { workers }: Matching,
  { kind, patterns, texts }: Omit<PatternTask, 'texts'> & { readonly texts: readonly string[] },
): Promise<number[][]> {
  if (patterns.length === 0 || texts.length === 0) return texts.map(() => []);
  const request: PatternTask = { kind, patterns, texts: texts.join('\0') };
  // Plain names are compared, which costs nothing.
  const characters = (kind === 'branch' ? patterns.filter(isPattern) : patterns).reduce((sum, pattern) => sum + expressionSize(pattern), 0);
  if (takesFewSteps(characters, request.texts.length)) return run(request);
  try {
    return await workers.run<typeof task>(TASK, request, { deadlineMs: DEADLINE_MS });
  } catch (error) {
    throw error instanceof WorkerLimitError ? unprocessable('the patterns of the protection rules take too long to match') : error;
  }
}

/**
 * At most `most` of the paths that one of the patterns matches.
 * @param patterns as in a branch rule, separated by semicolons
 * @throws HttpError 422 where it takes too long
 */
export async function matchingPaths(context: Matching, patterns: string, paths: readonly string[], most = Infinity): Promise<string[]> {
  if (!hasPathPattern(patterns)) return [];
  const found = await matchPatterns(context, { kind: 'path', patterns: [patterns], texts: paths });
  return paths.filter((_, at) => found[at]?.length).slice(0, most);
}
