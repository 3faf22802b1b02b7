/** A compiled pattern of paths. */
export interface PathPattern {
  readonly expression: RegExp;
  readonly names: readonly string[];
}

/** Represents an encoded slash while a path is matched; no path contains NUL. */
const SLASH = '\0';

/**
 * Compiles a pattern. `:name` is a part of one segment, `:name*` one or more segments, `:name(expression)` what the expression matches;
 * all else stands for itself. `/:image*` before `/manifests/:reference`, `/pool/:name([^_]+)_:version([^_]+).deb`.
 * @throws Error for a pattern that could match slowly: with two `*`, or two parameters without expressions in one segment
 */
export function compilePattern(pattern: string): PathPattern {
  const names: string[] = [];
  let expression = '';
  let end = 0;
  for (const match of pattern.matchAll(/:([a-z]\w*)(?:\*|\(((?:[^()\\]|\\.)+)\))?/gi)) {
    const [whole, name = '', own] = match;
    expression += RegExp.escape(pattern.slice(end, match.index));
    expression += whole.endsWith('*') ? '(.+)' : `(${own ?? '[^/]+'})`;
    names.push(name);
    end = match.index + whole.length;
  }
  expression += RegExp.escape(pattern.slice(end));
  if (expression.split('(.+)').length > 2) throw new Error(`two * in ${pattern}`);
  if (hasTwoPlain(pattern)) throw new Error(`two parameters without expressions in one segment of ${pattern}`);
  return { expression: new RegExp(`^${expression}/*$`, 'u'), names };
}

/**
 * The form of a path for matching: decoded, with a special character for an encoded slash, without empty segments.
 * @param path as the client wrote it, without the query
 * @returns undefined for a path that cannot be decoded, or has a segment `.` or `..`
 */
export function readPath(path: string): string | undefined {
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '') continue;
    let decoded: string;
    try {
      decoded = decodeURIComponent(segment);
    } catch {
      return undefined;
    }
    if (decoded === '.' || decoded === '..' || decoded.includes('\0')) return undefined;
    segments.push(decoded.replaceAll('/', SLASH));
  }
  return `/${segments.join('/')}`;
}

/**
 * The parameters of a path; undefined if it does not match.
 * @param path of {@link readPath}
 */
export function matchPath({ expression, names }: PathPattern, path: string): Record<string, string> | undefined {
  const match = expression.exec(path);
  if (!match) return undefined;
  return Object.fromEntries(names.map((name, index) => [name, (match[index + 1] ?? '').replaceAll(SLASH, '/')]));
}

function hasTwoPlain(pattern: string): boolean {
  return pattern.split('/').some((segment) => [...segment.matchAll(/:[a-z]\w*(?!\w)(?!\()/gi)].length > 1);
}
