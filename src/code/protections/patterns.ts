import { expressionMatcher, globMatcher, type Matcher } from '../../text/pattern.ts';

const MAX_CACHED = 1000;
const cache = new Map<string, Matcher>();

/** Whether a rule's name is a pattern and not the name of one branch. */
export function isPattern(ruleName: string): boolean {
  return /[*?\\[\]{}]/.test(ruleName);
}

/** Matches names of branches: a plain name case-insensitively, a pattern with `/` as separator. An invalid pattern is a plain name. */
export function branchMatcher(ruleName: string): Matcher {
  return keep(`branch ${ruleName}`, () => {
    if (!isPattern(ruleName)) return (name) => name.toLowerCase() === ruleName.toLowerCase();
    try {
      return globMatcher(ruleName, '/');
    } catch {
      return (name) => name === ruleName;
    }
  });
}

/**
 * Matches names of tags: a pattern without separators, or a regular expression (RE2 syntax) between slashes.
 * @throws InvalidPatternError
 */
export function tagMatcher(pattern: string): Matcher {
  return keep(`tag ${pattern}`, () => {
    const isExpression = pattern.length >= 2 && pattern.startsWith('/') && pattern.endsWith('/');
    return isExpression ? expressionMatcher(pattern.slice(1, -1)) : globMatcher(pattern, '');
  });
}

/** Matches names of checks: a pattern without separators. An invalid one is a plain name. */
export function checkMatcher(pattern: string): Matcher {
  return keep(`check ${pattern}`, () => {
    try {
      return globMatcher(pattern, '');
    } catch {
      return (name) => name === pattern;
    }
  });
}

/**
 * Matches paths by patterns that are separated by semicolons, case-insensitively; `.` and `/` are separators.
 * Invalid patterns match nothing.
 * @returns undefined when there is no pattern
 */
export function pathMatcher(patterns: string): Matcher | undefined {
  const list = listOf(patterns);
  if (list.length === 0) return undefined;
  const matchers = list.map((pattern) => keep(`path ${pattern}`, () => pathPattern(pattern)));
  return (path) => {
    const lower = path.trim().toLowerCase();
    return matchers.some((matches) => matches(lower));
  };
}

/** Whether a text for {@link pathMatcher} contains a pattern. */
export function hasPathPattern(patterns: string): boolean {
  return listOf(patterns).length > 0;
}

function listOf(patterns: string): string[] {
  return patterns
    .toLowerCase()
    .split(';')
    .map((pattern) => pattern.trim())
    .filter((pattern) => pattern !== '');
}

/**
 * Matches whole texts by a pattern without separators.
 * @throws InvalidPatternError
 */
export function textMatcher(pattern: string): Matcher {
  return keep(`text ${pattern}`, () => globMatcher(pattern, ''));
}

function pathPattern(pattern: string): Matcher {
  try {
    return globMatcher(pattern, './');
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
