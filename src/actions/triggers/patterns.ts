import { RE2JS } from 're2js';

/** A pattern of a filter such as `branches` or `paths`. */
interface Pattern {
  readonly isNegative: boolean;
  matches(text: string): boolean;
}

/** Maximum number of patterns of one filter, and length limit of one. */
const MAX_PATTERNS = 500;
const MAX_LENGTH = 1000;

/**
 * Whether patterns of `branches`, `tags` or `paths` accept one of the texts: the last one that matches it decides.
 * Undefined for an invalid pattern: then nothing is accepted.
 */
export function isIncluded(patterns: readonly string[], texts: readonly string[]): boolean | undefined {
  const compiled = compileAll(patterns);
  if (!compiled) return undefined;
  if (compiled.length === 0) return true;
  return texts.some((text) => compiled.findLast((pattern) => pattern.matches(text))?.isNegative === false);
}

/** Whether patterns of `branches-ignore`, `tags-ignore` or `paths-ignore` match all of the texts. Undefined as above. */
export function isIgnored(patterns: readonly string[], texts: readonly string[]): boolean | undefined {
  const compiled = compileAll(patterns);
  if (!compiled) return undefined;
  if (compiled.length === 0) return false;
  return texts.every((text) => compiled.some((pattern) => pattern.matches(text) !== pattern.isNegative));
}

function compileAll(patterns: readonly string[]): Pattern[] | undefined {
  if (patterns.length > MAX_PATTERNS) return undefined;
  const compiled: Pattern[] = [];
  for (const pattern of patterns) {
    const one = compile(pattern);
    if (!one) return undefined;
    compiled.push(one);
  }
  return compiled;
}

/** By the rules of https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax#filter-pattern-cheat-sheet */
function compile(text: string): Pattern | undefined {
  const isNegative = text.startsWith('!');
  const expression = toExpression(isNegative ? text.slice(1) : text);
  if (expression === undefined) return undefined;
  try {
    const compiled = RE2JS.compile(expression);
    return { isNegative, matches: (value) => compiled.matcher(value).find() };
  } catch {
    return undefined;
  }
}

function toExpression(pattern: string): string | undefined {
  if (pattern.length > MAX_LENGTH) return undefined;
  let expression = '^';
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at] ?? '';
    if (character === '*') {
      if (pattern.startsWith('**/', at)) [expression, at] = [`${expression}(.+/)?`, at + 2];
      else if (pattern.startsWith('**', at)) [expression, at] = [`${expression}.*`, at + 1];
      else expression += '[^/]*';
    } else if (character === '+' || character === '?') expression += at > 0 ? character : `\\${character}`;
    else if (character === '[') {
      const found = /^\[(?:[A-Za-z0-9](?:-[A-Za-z0-9])?)+\]/.exec(pattern.slice(at))?.[0];
      if (found === undefined) return undefined;
      expression += found;
      at += found.length - 1;
    } else if (character === '\\') {
      if (++at >= pattern.length) return undefined;
      expression += RE2JS.quote(pattern[at] ?? '');
    } else expression += RE2JS.quote(character);
  }
  return `(?s)${expression}$`;
}
