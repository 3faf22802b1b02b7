/**
 * git's patterns for paths (https://git-scm.com/docs/gitignore#_pattern_format) without regular expressions: a pattern of a user
 * takes at most (length of the pattern) × (length of the path) steps, whatever it is made of.
 */

/** Whether a whole path matches: `*` and `?` stay within one name, `**` as a name stands for any folders, `[…]` is a class. */
export function matchesPath(pattern: string, path: string): boolean {
  const parts = asBytes(pattern).split('/');
  const names = asBytes(path).split('/');
  // reach[i]: whether the first i names are matched by the parts so far.
  let reach = new Array<boolean>(names.length + 1).fill(false);
  reach[0] = true;
  parts.forEach((part, index) => {
    const next = new Array<boolean>(names.length + 1).fill(false);
    const anyFolders = part === '**';
    const isLast = index === parts.length - 1;
    for (let i = 0; i <= names.length; i++) {
      if (anyFolders) next[i] = next[i - 1] === true || (isLast ? reach[i - 1] === true : reach[i] === true);
      else next[i] = i > 0 && reach[i - 1] === true && matches(part, names[i - 1] ?? '');
    }
    reach = next;
  });
  return reach[names.length] === true;
}

/** Whether one name matches a pattern without slashes. */
export function matchesName(pattern: string, name: string): boolean {
  return matches(asBytes(pattern), asBytes(name));
}

/** git knows no characters, only bytes: `?` is one of them. */
function asBytes(text: string): string {
  return /[^\0-\x7f]/.test(text) ? Buffer.from(text).toString('latin1') : text;
}

function matches(pattern: string, name: string): boolean {
  let p = 0;
  let n = 0;
  let star = -1;
  let starName = 0;
  while (n < name.length) {
    const step = p < pattern.length && pattern.charAt(p) !== '*' ? matchOne(pattern, p, name.charAt(n)) : undefined;
    if (step !== undefined) {
      p = step;
      n++;
    } else if (pattern.charAt(p) === '*') {
      star = p++;
      starName = n;
    } else if (star !== -1) {
      p = star + 1;
      n = ++starName;
    } else return false;
  }
  while (pattern.charAt(p) === '*') p++;
  return p === pattern.length;
}

/** Where the pattern goes on after `char` has matched what stands at `p`; `undefined` if it does not match. */
function matchOne(pattern: string, p: number, char: string): number | undefined {
  const sign = pattern.charAt(p);
  if (sign === '?') return p + 1;
  if (sign === '\\' && p + 1 < pattern.length) return pattern.charAt(p + 1) === char ? p + 2 : undefined;
  if (sign === '[') {
    const end = classEnd(pattern, p);
    if (end !== undefined) return inClass(pattern.slice(p + 1, end), char) ? end + 1 : undefined;
  }
  return sign === char ? p + 1 : undefined;
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
