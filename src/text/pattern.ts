import { RE2JS } from 're2js';
import { expressionSize } from './expression-size.ts';

/*
 * Patterns come from users, so they are matched by RE2: in time linear to the text, whatever the pattern.
 * `*` matches anything except separators, `**` anything, `?` one character, `[ab]` `[!ab]` `[^ab]` `{a,b}` as in a shell.
 */

/** An invalid pattern: an unclosed bracket, or an expression that cannot be parsed. */
export class InvalidPatternError extends Error {
  override readonly name = 'InvalidPatternError';
}

/** Length limit of a pattern in characters. */
const MAX_PATTERN_LENGTH = 1000;

/** Size limit of an expression with all its repetitions written out: each takes memory, and time for each character. */
const MAX_EXPRESSION_SIZE = 8 * MAX_PATTERN_LENGTH;

/** Whether a text matches. */
export type Matcher = (text: string) => boolean;

/**
 * Finds an expression (RE2 syntax) anywhere in a text.
 * @param complaint the beginning of the error's message
 * @throws InvalidPatternError
 */
export function expressionMatcher(expression: string, complaint = ''): Matcher {
  if (expression.length > 4 * MAX_PATTERN_LENGTH) throw new InvalidPatternError('the pattern is too long');
  if (expressionSize(expression) > MAX_EXPRESSION_SIZE) throw new InvalidPatternError(`${complaint}the pattern repeats too much`);
  try {
    const compiled = RE2JS.compile(expression);
    return (text) => compiled.matcher(text).find();
  } catch (error) {
    throw new InvalidPatternError(complaint + (error as Error).message);
  }
}

/**
 * Matches whole texts by a pattern.
 * @param separators characters that `*` and `?` do not match
 * @throws InvalidPatternError
 */
export function globMatcher(glob: string, separators: string): Matcher {
  return expressionMatcher(globToExpression(glob, separators), 'failed to compile regexp: ');
}

function globToExpression(glob: string, separators: string): string {
  const characters = [...glob];
  const any = separators === '' ? '.' : `[^${RE2JS.quote(separators)}]`;
  let expression = '';
  let depth = 0;
  for (let at = 0; at < characters.length; ) {
    const character = characters[at] ?? '';
    if (character === '{') depth++;
    const { text, end } = readPart(characters, at, { any, inBraces: depth > 0 });
    if (character === '}' && depth > 0) depth--;
    expression += text;
    at = end;
  }
  if (depth > 0) throw new InvalidPatternError('a brace does not end');
  // A path may contain line ends, which match themselves.
  return `(?s)^(?:${expression})$`;
}

interface Part {
  /** As an expression. */
  readonly text: string;
  /** Where the next part begins. */
  readonly end: number;
}

/** Reads one element at a position of a glob. */
function readPart(characters: readonly string[], at: number, { any, inBraces }: { any: string; inBraces: boolean }): Part {
  const character = characters[at] ?? '';
  const next = characters[at + 1];
  if (character === '*') return next === '*' ? { text: '.*', end: at + 2 } : { text: `${any}*`, end: at + 1 };
  if (character === '?') return { text: any, end: at + 1 };
  if (character === '[') return readClass(characters, at + 1);
  if (character === '\\') {
    if (next === undefined) throw new InvalidPatternError('no character to escape');
    return { text: RE2JS.quote(next), end: at + 2 };
  }
  const inExpression = inBraces ? BRACES[character] : undefined;
  return { text: inExpression ?? RE2JS.quote(character), end: at + 1 };
}

/** The marks of a choice in a regular expression. */
const BRACES: Readonly<Record<string, string>> = { '{': '(?:', ',': '|', '}': ')' };

/** Reads a class of characters from after its bracket on. */
function readClass(characters: readonly string[], start: number): Part {
  const negated = characters[start] === '!' || characters[start] === '^';
  let text = negated ? '^' : '';
  for (let at = negated ? start + 1 : start; at < characters.length; at++) {
    const character = characters[at] ?? '';
    if (character === ']') {
      if (text === '' || text === '^') throw new InvalidPatternError('an empty class of characters');
      return { text: `[${text}]`, end: at + 1 };
    }
    if (character === '\\') at++;
    const meant = character === '\\' ? (characters[at] ?? '') : character;
    text += character === '-' ? '-' : /[\p{L}\p{N}]/u.test(meant) ? meant : `\\x{${(meant.codePointAt(0) ?? 0).toString(16)}}`;
  }
  throw new InvalidPatternError('unterminated character class');
}
