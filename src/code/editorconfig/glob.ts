/**
 * The patterns of `.editorconfig` (https://spec.editorconfig.org/#glob-expressions): `*` and `?` within a name, `**` across
 * folders, `[abc]`, `[!abc]`, `{a,b}`, `{1..9}`. A pattern becomes a machine that is in several states at once and never goes back,
 * so that its time grows with its length times that of the path, whatever it says. That is bounded by the steps that a caller grants.
 */

/** Thrown when patterns take more steps than they were granted. */
export class GlobLimitError extends Error {
  override readonly name = 'GlobLimitError';
}

/** Steps that the patterns of one file may take together: some 20 ms. */
const MAX_STEPS = 400_000;
/** What the making of a machine takes in steps of running it: for itself, and for each sign of its pattern. */
const PATTERN_STEPS = 40;
const STEPS_PER_SIGN = 4;

/** Counts steps down. */
export class Work {
  #left: number;

  constructor(steps = MAX_STEPS) {
    this.#left = steps;
  }

  /** @throws GlobLimitError when there are no steps left */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new GlobLimitError('the patterns take too long');
  }
}

/** Whether a sign is taken. */
type Test = (sign: string) => boolean;

/** A state: to the next ones with a sign that passes, or without any. */
interface State {
  test: Test | undefined;
  next: State[];
  /** A number between the two, taken in one piece. */
  range: readonly [low: number, high: number] | undefined;
  /** The last place of the path where the machine was in this state. */
  at: number;
}

/** Longer patterns match nothing, and nothing matches longer paths. */
const MAX_LENGTH = 4096;

const SPECIAL = new Set('*?[]{},\\/');

/** The longest range of numbers: two of 15 digits with their signs, two dots, two braces. */
const MAX_RANGE = 36;

const any: Test = () => true;
const withinName: Test = (sign) => sign !== '/';

function state(test?: Test): State {
  return { test, next: [], range: undefined, at: -1 };
}

/**
 * Whether a path, from its first slash on, is one that the pattern means.
 * @throws GlobLimitError when that takes more than the work that is left
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

/** Reads a pattern from left to right; each piece hangs on to the state where the last one ended. */
class Parser {
  readonly #pattern: string;
  readonly #choices: ReadonlySet<number>;
  /** Where the next closing bracket and the next slash are, looked up again only when they are behind. */
  #bracket = -1;
  #slash = -1;
  #at = 0;
  #depth = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
    this.#choices = choicesIn(pattern);
  }

  /** Reads on until the end, or until `,` or `}` within braces. */
  sequence(from: State): State {
    let at = from;
    while (this.#at < this.#pattern.length) {
      const sign = this.#pattern[this.#at] ?? '';
      if (this.#depth > 0 && (sign === ',' || sign === '}')) break;
      at = this.#piece(at, sign);
    }
    return at;
  }

  #piece(from: State, sign: string): State {
    if (sign === '\\' && this.#at + 1 < this.#pattern.length) return this.#literal(from, 2, this.#pattern[this.#at + 1] ?? '');
    if (sign === '*') return this.#star(from);
    if (sign === '?') return this.#one(from, withinName, 1);
    if (sign === '[') return this.#set(from);
    if (sign === '{') return this.#braces(from);
    if (sign === '/' && this.#pattern.startsWith('/**/', this.#at)) return this.#folders(from);
    return this.#literal(from, 1, sign);
  }

  #literal(from: State, length: number, sign: string): State {
    return this.#one(from, (other) => other === sign, length);
  }

  #one(from: State, test: Test, length: number): State {
    this.#at += length;
    const taken = state();
    const taking = state(test);
    taking.next.push(taken);
    from.next.push(taking);
    return taken;
  }

  #star(from: State): State {
    const isDouble = this.#pattern.startsWith('**', this.#at);
    this.#at += isDouble ? 2 : 1;
    return repeat(from, isDouble ? any : withinName);
  }

  /** A slash, or any folders between two. */
  #folders(from: State): State {
    this.#at += 4;
    const slash = state((sign) => sign === '/');
    const after = state();
    slash.next.push(after);
    from.next.push(slash);
    const folders = repeat(after, any);
    const last = state((sign) => sign === '/');
    last.next.push(after);
    folders.next.push(last);
    const out = state();
    after.next.push(out);
    return out;
  }

  #set(from: State): State {
    if (this.#bracket < this.#at + 2) this.#bracket = this.#next(']', this.#at + 2);
    if (this.#slash <= this.#at) this.#slash = this.#next('/', this.#at + 1);
    const end = this.#bracket;
    // A set with a slash in it is none.
    if (end === Number.POSITIVE_INFINITY || this.#slash < end) return this.#literal(from, 1, '[');
    const body = this.#pattern.slice(this.#at + 1, end);
    const isNegated = body.startsWith('!');
    const signs = signsOf(isNegated ? body.slice(1) : body);
    return this.#one(from, (sign) => sign !== '/' && signs(sign) !== isNegated, end + 1 - this.#at);
  }

  #next(sign: string, from: number): number {
    const found = this.#pattern.indexOf(sign, from);
    return found === -1 ? Number.POSITIVE_INFINITY : found;
  }

  #braces(from: State): State {
    const numbers = /^\{([+-]?\d{1,15})\.\.([+-]?\d{1,15})\}/.exec(this.#pattern.slice(this.#at, this.#at + MAX_RANGE));
    if (numbers) {
      this.#at += numbers[0].length;
      const [one, other] = [Number(numbers[1]), Number(numbers[2])];
      const out = state();
      from.next.push({ test: undefined, next: [out], range: [Math.min(one, other), Math.max(one, other)], at: -1 });
      return out;
    }
    if (!this.#choices.has(this.#at)) return this.#literal(from, 1, '{');
    const out = state();
    this.#depth++;
    do {
      this.#at++;
      this.sequence(branch(from)).next.push(out);
    } while (this.#pattern[this.#at] === ',');
    this.#depth--;
    this.#at++;
    return out;
  }
}

/** Where braces open that are closed and have a comma of their own: `{single}` is taken as it is written. */
function choicesIn(pattern: string): Set<number> {
  const choices = new Set<number>();
  const open: { at: number; hasComma: boolean }[] = [];
  for (let at = 0; at < pattern.length; at++) {
    const sign = pattern[at];
    if (sign === '\\') at++;
    else if (sign === '{') open.push({ at, hasComma: false });
    else if (sign === ',') {
      const inner = open.at(-1);
      if (inner) inner.hasComma = true;
    } else if (sign === '}') {
      const closed = open.pop();
      if (closed?.hasComma) choices.add(closed.at);
    }
  }
  return choices;
}

function branch(from: State): State {
  const start = state();
  from.next.push(start);
  return start;
}

function repeat(from: State, test: Test): State {
  const loop = state();
  const taking = state(test);
  taking.next.push(loop);
  loop.next.push(taking);
  from.next.push(loop);
  return loop;
}

/** The signs of a set, with ranges such as `a-z`. */
function signsOf(body: string): Test {
  const signs = new Set<string>();
  const ranges: [string, string][] = [];
  for (let at = 0; at < body.length; at++) {
    const sign = body[at] === '\\' ? (body[++at] ?? '') : (body[at] ?? '');
    const last = body[at + 1] === '-' ? body[at + 2] : undefined;
    if (last === undefined) signs.add(sign);
    else {
      ranges.push([sign, last]);
      at += 2;
    }
  }
  return (sign) => signs.has(sign) || ranges.some(([first, last]) => first <= sign && sign <= last);
}

/** Goes through the path once, with all the states that the machine could be in; each of them is a step of the work. */
function run(start: State, end: State, path: string, work: Work): boolean {
  // Numbers of several digits end further on than the next sign.
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

/** The signs that a pattern ends with and that stand for themselves. */
function literalEnd(pattern: string): string {
  let from = pattern.length;
  while (from > 0 && !SPECIAL.has(pattern[from - 1] ?? '')) from--;
  return pattern.slice(from);
}

/** The lengths of the numbers within the range that stand at a place; none has a zero in front. */
function numbersAt(path: string, at: number, [low, high]: readonly [number, number]): number[] {
  const [digits = ''] = /^[+-]?\d{1,15}/.exec(path.slice(at, at + 16)) ?? [];
  const lengths: number[] = [];
  for (let length = 1; length <= digits.length; length++) {
    const text = digits.slice(0, length);
    if (/^[+-]?(?:0|[1-9]\d*)$/.test(text) && Number(text) >= low && Number(text) <= high) lengths.push(length);
  }
  return lengths;
}
