/**
 * The patterns of `.editorconfig` (https://spec.editorconfig.org/#glob-expressions): `*` and `?` within a name, `**` across
 * folders, `[abc]`, `[!abc]`, `{a,b}`, `{1..9}`. A pattern becomes an automaton that is in several states at once and never backtracks,
 * so that its time is proportional to its length times that of the path. The steps that a caller grants limit it.
 */

import { Parser } from './glob-parser.ts';
import { type State, state } from './glob-state.ts';
import { Work } from './glob-work.ts';

/** The cost of building an automaton in steps of running it: a constant, and for each character of its pattern. */
const PATTERN_STEPS = 40;
const STEPS_PER_SIGN = 4;

/** Longer patterns match nothing, and nothing matches longer paths. */
const MAX_LENGTH = 4096;

const SPECIAL = new Set('*?[]{},\\/');

/**
 * Whether a path, from its first slash on, matches the pattern.
 * @throws GlobLimitError when that takes more than the remaining steps
 */
export function matchesGlob(pattern: string, path: string, work: Work = new Work()): boolean {
  if (pattern.length > MAX_LENGTH || path.length > MAX_LENGTH) return false;
  work.spend(PATTERN_STEPS);
  // Most patterns of a file are about other endings.
  if (!path.endsWith(literalEnd(pattern))) return false;
  work.spend(STEPS_PER_SIGN * pattern.length);
  const start = state();
  const end = new Parser(pattern).sequence(start);
  return run(start, end, path, work);
}

/** Scans the path once, with all possible states of the automaton; each of them is a step. */
function run(start: State, end: State, path: string, work: Work): boolean {
  // Numbers of several digits end later than the next character.
  const later = new Map<number, State[]>();
  let states: State[] = [];
  let following: State[] = [];
  const open: State[] = [];
  const enter = (into: State[], at: number, target: State) => {
    open.push(target);
    for (let one = open.pop(); one; one = open.pop()) {
      if (one.at === at) continue;
      one.at = at;
      work.spend(1);
      into.push(one);
      if (!one.test && !one.range) for (const next of one.next) open.push(next);
    }
  };
  enter(states, 0, start);
  for (let at = 0; at < path.length && (states.length > 0 || later.size > 0); at++) {
    const sign = path[at] ?? '';
    for (const one of states) {
      if (one.test?.(sign)) for (const next of one.next) enter(following, at + 1, next);
      if (one.range)
        for (const length of numbersAt(path, at, one.range)) later.set(at + length, [...(later.get(at + length) ?? []), ...one.next]);
    }
    for (const one of later.get(at + 1) ?? []) enter(following, at + 1, one);
    later.delete(at + 1);
    [states, following] = [following, states];
    following.length = 0;
  }
  return end.at === path.length;
}

/** The literal characters at the end of a pattern. */
function literalEnd(pattern: string): string {
  let from = pattern.length;
  while (from > 0 && !SPECIAL.has(pattern[from - 1] ?? '')) from--;
  return pattern.slice(from);
}

/** The lengths of the numbers within the range at a position; none has a leading zero. */
function numbersAt(path: string, at: number, [low, high]: readonly [number, number]): number[] {
  const [digits = ''] = /^[+-]?\d{1,15}/.exec(path.slice(at, at + 16)) ?? [];
  const lengths: number[] = [];
  for (let length = 1; length <= digits.length; length++) {
    const text = digits.slice(0, length);
    if (/^[+-]?(?:0|[1-9]\d*)$/.test(text) && Number(text) >= low && Number(text) <= high) lengths.push(length);
  }
  return lengths;
}
