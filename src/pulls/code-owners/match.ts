import { setImmediate } from 'node:timers/promises';
import { RenderLimitError, withDeadline } from '../../markup/deadline.ts';
import type { OwnerRule } from './parse.ts';

/** How long one step may keep the thread, and all of them may take, in milliseconds (lesson 24). */
const STEP_MS = 25;
const TOTAL_MS = 1000;
/** Files that are looked at in one step. */
const STEP = 500;

/**
 * The rules that are about at least one of these files. Expressions that are none, or that take too long, match nothing; when all of
 * them together take too long, the rest is left out.
 */
export async function matchingRules(rules: readonly OwnerRule[], files: readonly string[]): Promise<OwnerRule[]> {
  const matching: OwnerRule[] = [];
  const end = performance.now() + TOTAL_MS;
  for (const rule of rules) {
    const expression = compile(rule.pattern);
    if (expression && (await matchesAny(rule, expression, files, end))) matching.push(rule);
    if (performance.now() > end) break;
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

async function matchesAny({ isNegative }: OwnerRule, expression: RegExp, files: readonly string[], end: number): Promise<boolean> {
  for (let at = 0; at < files.length && performance.now() < end; at += STEP) {
    const step = files.slice(at, at + STEP);
    try {
      const found = withDeadline(Number.POSITIVE_INFINITY, STEP_MS, () => step.some((file) => expression.test(file) !== isNegative));
      if (found) return true;
    } catch (error) {
      if (error instanceof RenderLimitError) return false;
      throw error;
    }
    // Others have their turn between two steps.
    await setImmediate();
  }
  return false;
}
