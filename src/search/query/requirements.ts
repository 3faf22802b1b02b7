import { MIN_LITERAL } from '../index/filter.ts';
import { fold } from '../index/fold.ts';

/*
 * The requirements of an expression: a matching text has one literal of each clause. Uncertain requirements are left out, so
 * that no match is missed: an expression without known requirements has no clauses.
 */

/** Folded literals, one of which must occur. */
export type Clause = readonly string[];

/** Alternatives of one clause; more are not looked for. */
const MAX_ALTERNATIVES = 16;
const MAX_DEPTH = 50;

/** The facts of a part of an expression. */
interface Known {
  /** Its only match, if there is just one. */
  readonly exact: string | undefined;
  readonly clauses: readonly Clause[];
}

const UNKNOWN: Known = { exact: undefined, clauses: [] };

/** The clauses of an expression that RE2 can read. */
export function clausesOf(source: string): readonly Clause[] {
  // Quoted passages are rare, and everything is a literal in them.
  if (source.includes('\\Q')) return [];
  const reader = new Reader(source);
  return withExact(reader.alternatives(0)).clauses;
}

/** The clauses of a text that has to be there as it is. */
export function clausesOfText(text: string): readonly Clause[] {
  const folded = fold(text);
  return folded.length < MIN_LITERAL ? [] : [[folded]];
}

/** Turns an exact text into a clause. */
function withExact({ exact, clauses }: Known): Known {
  return exact === undefined ? { exact, clauses } : { exact: undefined, clauses: [...clauses, ...clausesOfText(exact)] };
}

/** The most selective clause: the one whose shortest literal is the longest. */
export function bestClause(clauses: readonly Clause[]): Clause | undefined {
  const weight = (clause: Clause) => Math.min(...clause.map(({ length }) => length));
  return clauses.toSorted((a, b) => weight(b) - weight(a))[0];
}

class Reader {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  /** Parts between `|`, up to the end or the bracket that closes them. */
  alternatives(depth: number): Known {
    const parts = [this.#sequence(depth)];
    while (this.#take('|')) parts.push(this.#sequence(depth));
    const [only = UNKNOWN] = parts;
    if (parts.length === 1) return only;
    const best = parts.map((part) => bestClause(withExact(part).clauses));
    const literals = best.every((clause) => clause !== undefined) ? best.flat() : [];
    const isUseful = literals.length > 0 && literals.length <= MAX_ALTERNATIVES;
    return { exact: undefined, clauses: isUseful ? [literals] : [] };
  }

  #sequence(depth: number): Known {
    const clauses: Clause[] = [];
    let run = '';
    let isExact = true;
    while (this.#at < this.#source.length && !'|)'.includes(this.#next)) {
      const part = this.#repeated(this.#atom(depth));
      if (part.exact !== undefined) {
        run += part.exact;
        continue;
      }
      clauses.push(...clausesOfText(run), ...part.clauses);
      run = '';
      isExact = false;
    }
    return isExact ? { exact: run, clauses } : { exact: undefined, clauses: [...clauses, ...clausesOfText(run)] };
  }

  /** A part with its quantifier. */
  #repeated(part: Known): Known {
    let known = part;
    for (;;) {
      const count = /^(?:[?*+]|\{(\d+)(?:,\d*)?\})/.exec(this.#source.slice(this.#at, this.#at + 16));
      if (!count) return known;
      this.#at += count[0].length;
      const isNeeded = count[0] === '+' || Number(count[1] ?? 0) > 0;
      // Once is as much as is sure.
      known = isNeeded ? withExact(known) : UNKNOWN;
    }
  }

  #atom(depth: number): Known {
    const character = this.#next;
    this.#at += character.length;
    if (character === '(') return this.#group(depth + 1);
    if (character === '[') return this.#class();
    if (character === '\\') return this.#escaped();
    if (character === '^' || character === '$') return UNKNOWN;
    return character === '.' ? UNKNOWN : { exact: character, clauses: [] };
  }

  #group(depth: number): Known {
    const head = /^\?(?:P?<\w+>|[a-zA-Z-]*:|[a-zA-Z-]*(?=\)))/.exec(this.#source.slice(this.#at, this.#at + 300))?.[0] ?? '';
    this.#at += head.length;
    const known = depth > MAX_DEPTH ? this.#skipRest() : this.alternatives(depth);
    this.#take(')');
    return head.endsWith(':') || head.endsWith('>') || head === '' ? known : UNKNOWN;
  }

  #skipRest(): Known {
    this.#at = this.#source.length;
    return UNKNOWN;
  }

  /** A character class stands for one of many characters. */
  #class(): Known {
    if (this.#next === '^') this.#at++;
    if (this.#next === ']') this.#at++;
    while (this.#at < this.#source.length && this.#next !== ']') {
      const named = /^\[:\^?\w+:\]/.exec(this.#source.slice(this.#at, this.#at + 20))?.[0].length;
      this.#at += named ?? (this.#next === '\\' ? 2 : this.#next.length);
    }
    this.#take(']');
    return UNKNOWN;
  }

  #escaped(): Known {
    const character = this.#next;
    this.#at += character.length;
    // Escaped punctuation is literal. Escaped letters and digits are classes, assertions, or character codes.
    if (!/[0-9a-zA-Z]/.test(character)) return { exact: character, clauses: [] };
    this.#at += this.#lengthOfCode(character);
    return UNKNOWN;
  }

  /** Of a class by name, or a code. */
  #lengthOfCode(character: string): number {
    const rest = this.#source.slice(this.#at);
    if (character === 'p' || character === 'P') return /^(?:\{[^}]*\}|.)/su.exec(rest)?.[0].length ?? 0;
    if (character === 'x') return /^(?:\{[0-9a-fA-F]*\}|[0-9a-fA-F]{2})/.exec(rest)?.[0].length ?? 0;
    return /[0-7]/.test(character) ? (/^[0-7]{0,2}/.exec(rest)?.[0].length ?? 0) : 0;
  }

  /** The character at which it is; empty at the end. */
  get #next(): string {
    const code = this.#source.codePointAt(this.#at);
    return code === undefined ? '' : String.fromCodePoint(code);
  }

  #take(character: string): boolean {
    if (this.#next !== character) return false;
    this.#at++;
    return true;
  }
}
