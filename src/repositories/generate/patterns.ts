import { globMatcher, type Matcher } from '../../text/pattern.ts';

/** Maximum number of lines in a list of patterns, and of their characters. */
const MAX_PATTERNS = 500;
const MAX_LENGTH = 500;

/** Matches the paths in `.gitea/template`: a pattern on each line, with `/` as separator; `#` begins a comment. */
export function pathPatterns(text: string): Matcher {
  const matchers = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#') && line.length <= MAX_LENGTH)
    .slice(0, MAX_PATTERNS)
    .flatMap(compiled);
  return (path) => matchers.some((matches) => matches(path));
}

/** An invalid pattern matches nothing. */
function compiled(pattern: string): Matcher[] {
  try {
    return [globMatcher(pattern, '/')];
  } catch {
    return [];
  }
}
