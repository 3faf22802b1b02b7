import { expressionSize } from '../text/expression-size.ts';
import { expressionMatcher } from '../text/pattern.ts';
import { charactersOf, takesFewSteps } from './few-steps.ts';
import { run } from './match-expressions-task.ts';
import type { WorkerPool } from './pool.ts';

const TASK = new URL('./match-expressions-task.ts', import.meta.url);
const DEADLINE_MS = 5000;

/**
 * For each text, which of the expressions of users are found in it; in a worker where that may take long.
 * @throws InvalidPatternError; WorkerLimitError if it takes too long; WorkersBusyError
 */
export async function matchExpressions(
  { workers }: { readonly workers: WorkerPool },
  expressions: readonly string[],
  texts: readonly string[],
): Promise<boolean[][]> {
  for (const expression of expressions) expressionMatcher(expression);
  const size = expressions.reduce((sum, expression) => sum + expressionSize(expression), 0);
  if (takesFewSteps(size, charactersOf(texts))) return run({ expressions, texts });
  return await workers.run<typeof import('./match-expressions-task.ts')>(TASK, { expressions, texts }, { deadlineMs: DEADLINE_MS });
}
