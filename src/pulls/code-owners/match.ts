import { setImmediate } from 'node:timers/promises';
import { RenderLimitError, withDeadline } from '../../markup/deadline.ts';
import type { OwnerRule } from './parse.ts';

/**
 * How long one step may block the thread, in milliseconds. Rules that took longer are tried again after the others:
 * the machine may have been slow.
 */
const STEP_MS = [25, 150];
/** Time limit of all steps, in milliseconds of work. */
const TOTAL_MS = 1500;
/** How many files are matched in one step. */
const STEP = 5000;

/**
 * The rules that match at least one of these files, in their order. Invalid expressions, and those that take too long, match
 * nothing; when all of them together take too long, the rest is left out.
 */
export async function matchingRules(rules: readonly OwnerRule[], files: readonly string[]): Promise<OwnerRule[]> {
  const matching = new Set<OwnerRule>();
  let left = rules.flatMap((rule) => compile(rule) ?? []);
  let spent = 0;
  for (const patience of STEP_MS) {
    const slow: CompiledRule[] = [];
    for (const candidate of left) {
      for (let at = 0; at < files.length && spent < TOTAL_MS; at += STEP) {
        const before = process.threadCpuUsage();
        const found = matchesAny(candidate, files.slice(at, at + STEP), patience);
        const { user, system } = process.threadCpuUsage(before);
        spent += (user + system) / 1000;
        if (found) matching.add(candidate.rule);
        if (found === undefined) slow.push(candidate);
        if (found !== false) break;
        // Other work runs between two steps.
        await setImmediate();
      }
    }
    left = slow;
  }
  return rules.filter((rule) => matching.has(rule));
}

interface CompiledRule {
  readonly rule: OwnerRule;
  readonly expression: RegExp;
}

/**
 * `(?i)` at the beginning ignores case, as in other dialects. In those a quantifier at the beginning applies to the start of the path: so
 * `*` matches every file and `*.md` those that end so, as their authors mean it.
 */
function compile(rule: OwnerRule): CompiledRule | undefined {
  const [, flags = '', rest = ''] = /^(\(\?i\))?(.*)$/s.exec(rule.pattern) ?? [];
  try {
    return { rule, expression: new RegExp(`${flags ? '^' : '(?:^)'}${rest}$`, flags && 'i') };
  } catch {
    return undefined;
  }
}

/** Returns nothing when it takes too long. */
function matchesAny({ rule, expression }: CompiledRule, files: readonly string[], patience: number): boolean | undefined {
  try {
    return withDeadline(Number.POSITIVE_INFINITY, patience, () => files.some((file) => expression.test(file) !== rule.isNegative));
  } catch (error) {
    if (error instanceof RenderLimitError) return undefined;
    throw error;
  }
}
