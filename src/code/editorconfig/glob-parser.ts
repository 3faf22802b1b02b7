import { type State, state, type Test } from './glob-state.ts';

/** The longest range of numbers: two of 15 digits with their signs, two dots, two braces. */
const MAX_RANGE = 36;

const any: Test = () => true;
const withinName: Test = (sign) => sign !== '/';

/** Parses a pattern from left to right; each part continues the state of the last one. */
export class Parser {
  readonly #pattern: string;
  readonly #choices: ReadonlySet<number>;
  /** The positions of the next closing bracket and the next slash, searched again only when they are behind. */
  #bracket = -1;
  #slash = -1;
  #at = 0;
  #depth = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
    this.#choices = choicesIn(pattern);
  }

  /** Parses up to the end, or up to `,` or `}` within braces. */
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

/** The positions of braces that are closed and have a comma of their own: `{single}` is literal. */
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

/** The characters of a set, with ranges such as `a-z`. */
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
