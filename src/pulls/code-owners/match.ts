import { setImmediate } from 'node:timers/promises';
import { RenderLimitError, withDeadline } from '../../markup/deadline.ts';
import type { OwnerRule } from './parse.ts';

/** How long one step may keep the thread, and all of them may take, in milliseconds (lesson 24). */
const STEP_MS = 25;
const TOTAL_MS = 1500;
/** Files that are looked at in one step. */
const STEP = 5000;

/**
 * The rules that are about at least one of these files. Expressions that are none, or that take too long, match nothing; when all of
 * them together take too long, the rest is left out.
 */
export async function matchingRules(rules: readonly OwnerRule[], files: readonly string[]): Promise<OwnerRule[]> {
  const matching: OwnerRule[] = [];
  let spent = 0;
  for (const rule of rules) {
    const expression = compile(rule.pattern);
    for (let at = 0; expression && at < files.length && spent < TOTAL_MS; at += STEP) {
      const started = performance.now();
      const found = matchesAny(rule, expression, files.slice(at, at + STEP));
      spent += performance.now() - started;
      if (found) matching.push(rule);
      if (found !== false) break;
      // Others have their turn between two steps.
      await setImmediate();
    }
  }
  return matching;
}

/** `(?i)` at the beginning is how other dialects say that case does not matter. */
function compile(pattern: string): RegExp | undefined {
  const [, flags = '', rest = ''] = /^(\(\?i\))?(.*)$/s.exec(pattern) ?? [];
  try {
    return new RegExp(`^${rest}$`, flags && 'i');
  } catch {
    return undefined;
  }
}

/** Answers nothing when it takes too long. */
function matchesAny({ isNegative }: OwnerRule, expression: RegExp, files: readonly string[]): boolean | undefined {
  try {
    return withDeadline(Number.POSITIVE_INFINITY, STEP_MS, () => files.some((file) => expression.test(file) !== isNegative));
  } catch (error) {
    if (error instanceof RenderLimitError) return undefined;
    throw error;
  }
}
