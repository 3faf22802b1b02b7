/**
 * The patterns of `.editorconfig` (https://spec.editorconfig.org/#glob-expressions): `*` and `?` within a name, `**` across
 * folders, `[abc]`, `[!abc]`, `{a,b}`, `{1..9}`. A pattern becomes a machine that is in several states at once and never goes back,
 * so that its time grows with its length times that of the path, whatever it says (lesson 24).
 */

/** Whether a sign is taken. */
type Test = (sign: string) => boolean;

/** A state: to the next ones with a sign that passes, or without any. */
interface State {
  test: Test | undefined;
  next: State[];
  /** A number between the two, taken in one piece. */
  range: readonly [low: number, high: number] | undefined;
}

/** Longer patterns match nothing. */
const MAX_LENGTH = 4096;

const any: Test = () => true;
const withinName: Test = (sign) => sign !== '/';

function state(test?: Test): State {
  return { test, next: [], range: undefined };
}

/** Whether a path, from its first slash on, is one that the pattern means. */
export function matchesGlob(pattern: string, path: string): boolean {
  if (pattern.length > MAX_LENGTH) return false;
  const start = state();
  const end = new Parser(pattern).sequence(start);
  return run(start, end, path);
}

/** Reads a pattern from left to right; each piece hangs on to the state where the last one ended. */
class Parser {
  readonly #pattern: string;
  #at = 0;
  #depth = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
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
    const end = this.#pattern.indexOf(']', this.#at + 2);
    const body = end === -1 ? '/' : this.#pattern.slice(this.#at + 1, end);
    // A set with a slash in it is none.
    if (body.includes('/')) return this.#literal(from, 1, '[');
    const isNegated = body.startsWith('!');
    const signs = signsOf(isNegated ? body.slice(1) : body);
    return this.#one(from, (sign) => sign !== '/' && signs(sign) !== isNegated, end + 1 - this.#at);
  }

  #braces(from: State): State {
    const numbers = /^\{([+-]?\d{1,15})\.\.([+-]?\d{1,15})\}/.exec(this.#pattern.slice(this.#at));
    if (numbers) {
      this.#at += numbers[0].length;
      const [one, other] = [Number(numbers[1]), Number(numbers[2])];
      const out = state();
      from.next.push({ test: undefined, next: [out], range: [Math.min(one, other), Math.max(one, other)] });
      return out;
    }
    if (!this.#isChoice()) return this.#literal(from, 1, '{');
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

  /** Whether the brace here is closed and has a comma of its own: `{single}` is taken as it is written. */
  #isChoice(): boolean {
    let depth = 0;
    let hasComma = false;
    for (let at = this.#at; at < this.#pattern.length; at++) {
      const sign = this.#pattern[at];
      if (sign === '\\') at++;
      else if (sign === '{') depth++;
      else if (sign === ',' && depth === 1) hasComma = true;
      else if (sign === '}' && --depth === 0) return hasComma;
    }
    return false;
  }
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

/** Goes through the path once, with all the states that the machine could be in. */
function run(start: State, end: State, path: string): boolean {
  const waiting = new Map<number, Set<State>>();
  const enter = (at: number, target: State) => {
    const states = waiting.get(at) ?? new Set();
    waiting.set(at, states);
    const open = [target];
    for (let one = open.pop(); one; one = open.pop()) {
      if (states.has(one)) continue;
      states.add(one);
      if (!one.test && !one.range) open.push(...one.next);
    }
  };
  enter(0, start);
  for (let at = 0; at < path.length; at++) {
    const sign = path[at] ?? '';
    for (const one of waiting.get(at) ?? []) {
      if (one.test?.(sign)) for (const next of one.next) enter(at + 1, next);
      if (one.range) for (const length of numbersAt(path, at, one.range)) for (const next of one.next) enter(at + length, next);
    }
    waiting.delete(at);
  }
  return waiting.get(path.length)?.has(end) ?? false;
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
