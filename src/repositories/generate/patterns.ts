import { globMatcher, type Matcher } from '../../text/pattern.ts';

/** Lines of a list of patterns that count, and their characters. */
const MAX_PATTERNS = 500;
const MAX_LENGTH = 500;

/** The paths that `.gitea/template` names: a pattern on each line, with `/` as separator; `#` begins a remark. */
export function pathPatterns(text: string): Matcher {
  const matchers = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#') && line.length <= MAX_LENGTH)
    .slice(0, MAX_PATTERNS)
    .flatMap(compiled);
  return (path) => matchers.some((matches) => matches(path));
}

/** A pattern that cannot be read matches nothing. */
function compiled(pattern: string): Matcher[] {
  try {
    return [globMatcher(pattern, '/')];
  } catch {
    return [];
  }
}
