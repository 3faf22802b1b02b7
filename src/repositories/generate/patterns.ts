import { RE2JS } from 're2js';

/** Lines of a list of patterns that count, and their characters. */
const MAX_PATTERNS = 500;
const MAX_LENGTH = 500;

/**
 * The paths that `.gitea/template` names: a pattern on each line, `#` begins a remark. `*` stands for anything but `/`, `**` for
 * anything, `?` for one character, `[ab]` `[!ab]` `{a,b}` as in a shell. Matched by RE2, in time linear to the path.
 */
export function pathPatterns(text: string): (path: string) => boolean {
  const expressions = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#') && line.length <= MAX_LENGTH)
    .slice(0, MAX_PATTERNS)
    .flatMap(compiled);
  return (path) => expressions.some((expression) => expression.matcher(path).matches());
}

/** A pattern that cannot be read matches nothing. */
function compiled(pattern: string): RE2JS[] {
  try {
    return [RE2JS.compile(toExpression(pattern))];
  } catch {
    return [];
  }
}

function toExpression(pattern: string): string {
  let depth = 0;
  const expression = pattern.replace(/\*+|\?|\[!?[^\]]*\]|[{},]|\\.|[\s\S]/g, (part) => {
    if (part.startsWith('*')) return part.length > 1 ? '.*' : '[^/]*';
    if (part === '?') return '[^/]';
    if (part.length > 1 && part.startsWith('[')) return part.replace(/^\[!/, '[^').replace(/\\/g, '\\\\');
    if (part === '{') depth++;
    if (part === '{') return '(?:';
    if (part === '}' && depth > 0) {
      depth--;
      return ')';
    }
    if (part === ',' && depth > 0) return '|';
    return RegExp.escape(part.length > 1 ? part.slice(1) : part).replace(/^\\x([0-9a-f]{2})/, '\\x{$1}');
  });
  return `(?s)${expression}`;
}
