import type { PackageType } from '../../database/tables/package-types.ts';
import { globMatcher, type Matcher } from '../../text/pattern.ts';
import { nameKey } from './names.ts';

/** Patterns that are compiled; the same few are asked for with every request. */
const MAX_COMPILED = 1000;
const compiled = new Map<string, Matcher>();

/**
 * Whether a name matches one of the patterns, which are compared as names are. `*` stands for anything but a slash, `**` for anything.
 * @param key of `nameKey`
 * @throws InvalidPatternError
 */
export function matchesAny(type: PackageType, patterns: readonly string[], key: string): boolean {
  return patterns.some((pattern) => matcherOf(nameKey(type, pattern))(key));
}

/** Whether one of the patterns is the name itself: then somebody has decided about exactly this name. */
export function namesExactly(type: PackageType, patterns: readonly string[], key: string): boolean {
  return patterns.some((pattern) => nameKey(type, pattern) === key);
}

function matcherOf(pattern: string): Matcher {
  const known = compiled.get(pattern);
  if (known) return known;
  if (compiled.size >= MAX_COMPILED) compiled.clear();
  const matcher = globMatcher(pattern, '/');
  compiled.set(pattern, matcher);
  return matcher;
}
