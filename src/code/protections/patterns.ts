import { RE2JS } from 're2js';

/*
 * Patterns come from users, so they are matched by RE2: in time linear to the text, whatever the pattern.
 * `*` stands for anything but separators, `**` for anything, `?` for one character, `[ab]` `[!ab]` `[^ab]` `{a,b}` as in a shell.
 */

/** A pattern that is none: a bracket that does not end, an expression that cannot be read. */
export class InvalidPatternError extends Error {
  override readonly name = 'InvalidPatternError';
}

/** Characters that a pattern may have. */
export const MAX_PATTERN_LENGTH = 1000;

/** Whether a text matches. */
export type Matcher = (text: string) => boolean;

const MAX_CACHED = 1000;
const cache = new Map<string, Matcher>();

/** Whether a name of a rule is more than the name of one branch. */
export function isPattern(ruleName: string): boolean {
  return /[*?\\[\]{}]/.test(ruleName);
}

/** Matches the names of branches: a plain name without regard to case, a pattern with `/` as separator. One that is invalid stands for itself. */
export function branchMatcher(ruleName: string): Matcher {
  return keep(`branch ${ruleName}`, () => {
    if (!isPattern(ruleName)) return (name) => name.toLowerCase() === ruleName.toLowerCase();
    try {
      return compileGlob(ruleName, '/');
    } catch {
      return (name) => name === ruleName;
    }
  });
}

/**
 * Matches the names of tags: a pattern without separators, or an expression (RE2 syntax) between slashes.
 * @throws InvalidPatternError
 */
export function tagMatcher(pattern: string): Matcher {
  return keep(`tag ${pattern}`, () => {
    const isExpression = pattern.length >= 2 && pattern.startsWith('/') && pattern.endsWith('/');
    return isExpression ? compile(pattern.slice(1, -1)) : compileGlob(pattern, '');
  });
}

/** Matches the names of checks: a pattern without separators. One that is invalid stands for itself. */
export function checkMatcher(pattern: string): Matcher {
  return keep(`check ${pattern}`, () => {
    try {
      return compileGlob(pattern, '');
    } catch {
      return (name) => name === pattern;
    }
  });
}

/**
 * Matches paths by patterns that are separated by semicolons, without regard to case; `.` and `/` are separators.
 * Patterns that are invalid match nothing.
 * @returns undefined when there is no pattern
 */
export function pathMatcher(patterns: string): Matcher | undefined {
  const list = patterns
    .toLowerCase()
    .split(';')
    .map((pattern) => pattern.trim())
    .filter((pattern) => pattern !== '');
  if (list.length === 0) return undefined;
  const matchers = list.map((pattern) => keep(`path ${pattern}`, () => pathPattern(pattern)));
  return (path) => {
    const lower = path.trim().toLowerCase();
    return matchers.some((matches) => matches(lower));
  };
}

/**
 * Matches whole texts by a pattern without separators.
 * @throws InvalidPatternError
 */
export function textMatcher(pattern: string): Matcher {
  return keep(`text ${pattern}`, () => compileGlob(pattern, ''));
}

function pathPattern(pattern: string): Matcher {
  try {
    return compileGlob(pattern, './');
  } catch {
    return () => false;
  }
}

function keep(key: string, make: () => Matcher): Matcher {
  const known = cache.get(key);
  if (known) return known;
  const made = make();
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(key, made);
  return made;
}

function compile(expression: string, complaint = ''): Matcher {
  if (expression.length > 4 * MAX_PATTERN_LENGTH) throw new InvalidPatternError('the pattern is too long');
  try {
    const compiled = RE2JS.compile(expression);
    return (text) => compiled.matcher(text).find();
  } catch (error) {
    throw new InvalidPatternError(complaint + (error as Error).message);
  }
}

function compileGlob(glob: string, separators: string): Matcher {
  return compile(globToExpression(glob, separators), 'failed to compile regexp: ');
}

function globToExpression(glob: string, separators: string): string {
  const characters = [...glob];
  const any = separators === '' ? '.' : `[^${RE2JS.quote(separators)}]`;
  let expression = '';
  let depth = 0;
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? '';
    if (character === '*') {
      const deep = characters[at + 1] === '*';
      if (deep) at++;
      expression += deep ? '.*' : `${any}*`;
    } else if (character === '?') expression += any;
    else if (character === '[') {
      const { text, end } = readClass(characters, at + 1);
      expression += text;
      at = end;
    } else if (character === '{') {
      depth++;
      expression += '(?:';
    } else if (character === '}' && depth > 0) {
      depth--;
      expression += ')';
    } else if (character === ',' && depth > 0) expression += '|';
    else if (character === '\\') {
      const next = characters[++at];
      if (next === undefined) throw new InvalidPatternError('no character to escape');
      expression += RE2JS.quote(next);
    } else expression += RE2JS.quote(character);
  }
  if (depth > 0) throw new InvalidPatternError('a brace does not end');
  return `^(?:${expression})$`;
}

/** A class of characters from after its bracket on; `end` is the bracket that closes it. */
function readClass(characters: readonly string[], start: number): { text: string; end: number } {
  const negated = characters[start] === '!' || characters[start] === '^';
  let text = negated ? '^' : '';
  for (let at = negated ? start + 1 : start; at < characters.length; at++) {
    const character = characters[at] ?? '';
    if (character === ']') {
      if (text === '' || text === '^') throw new InvalidPatternError('an empty class of characters');
      return { text: `[${text}]`, end: at };
    }
    if (character === '\\') at++;
    const meant = character === '\\' ? (characters[at] ?? '') : character;
    text += character === '-' ? '-' : /[\p{L}\p{N}]/u.test(meant) ? meant : `\\x{${(meant.codePointAt(0) ?? 0).toString(16)}}`;
  }
  throw new InvalidPatternError('unterminated character class');
}
