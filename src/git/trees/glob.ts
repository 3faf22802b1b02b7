/**
 * git's patterns for paths (https://git-scm.com/docs/gitignore#_pattern_format) without regular expressions that backtrack: all possible
 * matches are followed at once, 32 of them with one operation, so a match takes about (length of the pattern) × (length of the text) / 32
 * steps, whatever both contain.
 */

/** Whether a text matches. */
export type GlobMatcher = (text: string) => boolean;

/** Whether a whole path matches: `*` and `?` stay within one name, `**` as a name stands for any folders, `[…]` is a class. */
export function matchesPath(pattern: string, path: string): boolean {
  return pathMatcher(pattern)(path);
}

/** Whether one name matches a pattern without slashes. */
export function matchesName(pattern: string, name: string): boolean {
  return nameMatcher(pattern)(name);
}

/** Like {@link matchesPath}, for a pattern that is used often. */
export function pathMatcher(pattern: string): GlobMatcher {
  const parts = asBytes(pattern)
    .split('/')
    .map((part) => ({ anyFolders: part === '**', matches: compile(part) }));
  return (path) => {
    const names = asBytes(path).split('/');
    // reach[i]: whether the first i names are matched by the parts so far.
    let reach = new Array<boolean>(names.length + 1).fill(false);
    reach[0] = true;
    for (const [index, { anyFolders, matches }] of parts.entries()) {
      const next = new Array<boolean>(names.length + 1).fill(false);
      const isLast = index === parts.length - 1;
      let any = false;
      for (let i = 0; i <= names.length; i++) {
        if (anyFolders) next[i] = next[i - 1] === true || (isLast ? reach[i - 1] === true : reach[i] === true);
        else next[i] = i > 0 && reach[i - 1] === true && matches(names[i - 1] ?? '');
        any ||= next[i] === true;
      }
      if (!any) return false;
      reach = next;
    }
    return reach[names.length] === true;
  };
}

/** Like {@link matchesName}, for a pattern that is used often. */
export function nameMatcher(pattern: string): GlobMatcher {
  const matches = compile(asBytes(pattern));
  return (name) => matches(asBytes(name));
}

/** git matches bytes, not characters: `?` is one byte. */
function asBytes(text: string): string {
  return /[^\0-\x7f]/.test(text) ? Buffer.from(text).toString('latin1') : text;
}

/** Whether a part of a pattern matches a byte. */
type Taker = (char: string) => boolean;

/**
 * Represents the states of a pattern as the bits of a number: bit i says that i of its parts other than `*` have matched so far
 * (https://en.wikipedia.org/wiki/Bitap_algorithm). A `*` keeps its bit for any byte.
 */
function compile(pattern: string): GlobMatcher {
  if (!/[*?[\\]/.test(pattern)) return (name) => name === pattern;
  const { takers, stars } = parse(pattern);
  const words = (takers.length >> 5) + 1;
  const stay = bitsOf(words, [...stars]);
  const masks = new Map<string, Int32Array>();
  const maskOf = (char: string) => {
    const known = masks.get(char);
    if (known) return known;
    const mask = bitsOf(
      words,
      takers.flatMap((takes, i) => (takes(char) ? [i] : [])),
    );
    masks.set(char, mask);
    return mask;
  };
  return (name) => {
    const states = bitsOf(words, [0]);
    for (let n = 0; n < name.length; n++) {
      const mask = maskOf(name.charAt(n));
      let carry = 0;
      let alive = 0;
      for (let w = 0; w < words; w++) {
        const state = states[w] ?? 0;
        const moving = state & (mask[w] ?? 0);
        const next = (moving << 1) | carry | (state & (stay[w] ?? 0));
        carry = moving >>> 31;
        states[w] = next;
        alive |= next;
      }
      if (alive === 0) return false;
    }
    return ((states[takers.length >> 5] ?? 0) & (1 << (takers.length & 31))) !== 0;
  };
}

function bitsOf(words: number, bits: readonly number[]): Int32Array {
  const set = new Int32Array(words);
  for (const bit of bits) set[bit >> 5] = (set[bit >> 5] ?? 0) | (1 << (bit & 31));
  return set;
}

function parse(pattern: string): { takers: Taker[]; stars: Set<number> } {
  const takers: Taker[] = [];
  const stars = new Set<number>();
  for (let p = 0; p < pattern.length; ) {
    const sign = pattern.charAt(p);
    if (sign === '*') stars.add(takers.length);
    else if (sign === '?') takers.push(() => true);
    else if (sign === '[') {
      const end = classEnd(pattern, p);
      // As in git, a pattern with an unclosed class matches nothing.
      if (end === undefined) return { takers: [() => false], stars: new Set() };
      const body = pattern.slice(p + 1, end);
      takers.push((char) => inClass(body, char));
      p = end;
    } else {
      if (sign === '\\' && p + 1 < pattern.length) p++;
      const literal = pattern.charAt(p);
      takers.push((char) => char === literal);
    }
    p++;
  }
  return { takers, stars };
}

function classEnd(pattern: string, open: number): number | undefined {
  let at = open + 1;
  if (pattern.charAt(at) === '!' || pattern.charAt(at) === '^') at++;
  for (let first = true; at < pattern.length; first = false) {
    const char = pattern.charAt(at);
    if (char === ']' && !first) return at;
    if (char === '[' && pattern.charAt(at + 1) === ':') {
      const end = pattern.indexOf(':]', at + 2);
      at = end === -1 ? at + 1 : end + 2;
    } else at += char === '\\' ? 2 : 1;
  }
  return undefined;
}

const NAMED: Readonly<Record<string, RegExp>> = {
  alnum: /[a-z0-9]/i,
  alpha: /[a-z]/i,
  blank: /[ \t]/,
  cntrl: /[\0-\x1f\x7f]/,
  digit: /\d/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /\s/,
  upper: /[A-Z]/,
  xdigit: /[\da-f]/i,
};

function inClass(body: string, char: string): boolean {
  const negated = body.startsWith('!') || body.startsWith('^');
  let at = negated ? 1 : 0;
  let found = false;
  const take = () => {
    if (body.charAt(at) === '\\' && at + 1 < body.length) at++;
    return body.charAt(at++);
  };
  while (at < body.length) {
    const named = /^\[:([a-z]+):\]/.exec(body.slice(at, at + 12));
    if (named) {
      found ||= NAMED[named[1] ?? '']?.test(char) ?? false;
      at += named[0].length;
      continue;
    }
    const low = take();
    if (body.charAt(at) === '-' && at + 1 < body.length) {
      at++;
      const high = take();
      found ||= low <= char && char <= high;
    } else found ||= low === char;
  }
  return found !== negated;
}
