/** A configuration file in Gitea's form: sections of keys and values. */
export class Ini {
  readonly #sections: ReadonlyMap<string, ReadonlyMap<string, string>>;

  constructor(sections: ReadonlyMap<string, ReadonlyMap<string, string>>) {
    this.#sections = sections;
  }

  /** The value of a key, or of the same key in a parent section (`a` is the parent of `a.b`); empty if there is none. */
  get(section: string, key: string): string {
    for (let name = section; ; name = name.slice(0, name.lastIndexOf('.'))) {
      const value = this.#sections.get(name)?.get(key);
      if (value !== undefined) return this.#expand(name, value, 0);
      if (!name.includes('.')) return '';
    }
  }

  /** The value of a key in the section itself; empty if there is none. */
  getOwn(section: string, key: string): string {
    const value = this.#sections.get(section)?.get(key);
    return value === undefined ? '' : this.#expand(section, value, 0);
  }

  /** Replaces `%(key)s` by the value of that key in the same section or in the unnamed one. */
  #expand(section: string, value: string, depth: number): string {
    if (depth >= MAX_DEPTH) return value;
    return value.replace(/%\(([^)]+)\)s/g, (whole, key: string) => {
      const found = this.#sections.get(section)?.get(key) ?? this.#sections.get('')?.get(key);
      return found === undefined ? whole : this.#expand(section, found, depth + 1);
    });
  }
}

const MAX_DEPTH = 10;

/** A file that is not a valid configuration; the message names the line. */
export class IniError extends Error {
  override readonly name = 'IniError';
}

/**
 * Parses a file like Gitea's library (go-ini, without continued lines): `=` or `:` after the key, comments from `#` or `;` on, values
 * in quotes, and in backticks or three quotes over several lines.
 * @throws IniError
 */
export function parseIni(text: string): Ini {
  const sections = new Map<string, Map<string, string>>([['', new Map()]]);
  let current = sections.get('') ?? new Map<string, string>();
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  for (let at = 0; at < lines.length; at++) {
    const line = (lines[at] ?? '').trim();
    if (line === '' || line.startsWith('#') || line.startsWith(';')) continue;
    if (line.startsWith('[')) {
      const name = sectionName(line, at);
      current = sections.get(name) ?? new Map();
      sections.set(name, current);
      continue;
    }
    const { key, rest } = splitKey(line, at);
    const { value, end } = readValue(rest, lines, at);
    at = end;
    if (key !== '') current.set(key, value);
  }
  return new Ini(sections);
}

function sectionName(line: string, at: number): string {
  const end = line.lastIndexOf(']');
  if (end < 0) throw new IniError(`line ${at + 1}: the section has no closing bracket`);
  const name = line.slice(1, end).trim();
  return name === 'DEFAULT' ? '' : name;
}

function splitKey(line: string, at: number): { key: string; rest: string } {
  const quote = line.startsWith('"""') ? '"""' : (/^["`]/.exec(line)?.[0] ?? '');
  const closed = quote && line.indexOf(quote, quote.length);
  if (quote && (closed === '' || closed < 0)) throw new IniError(`line ${at + 1}: the key has no closing quote`);
  const from = quote ? Number(closed) + quote.length : 0;
  const found = line.slice(from).search(/[=:]/);
  if (found < 0) throw new IniError(`line ${at + 1}: there is no = after the key`);
  const key = quote ? line.slice(quote.length, from - quote.length) : line.slice(0, found).trim();
  return { key, rest: line.slice(from + found + 1).trim() };
}

/** @returns the value, and its last line */
function readValue(rest: string, lines: readonly string[], at: number): { value: string; end: number } {
  const quote = rest.length > 3 && rest.startsWith('"""') ? '"""' : rest.startsWith('`') ? '`' : '';
  if (quote) {
    const first = rest.slice(quote.length);
    const closed = first.lastIndexOf(quote);
    if (closed >= 0) return { value: first.slice(0, closed), end: at };
    return readLines(first, quote, lines, at);
  }
  const comment = rest.search(/[#;]/);
  const value = (comment < 0 ? rest : rest.slice(0, comment)).trim();
  const quoted = value.length > 1 && /^(["']).*\1$/s.test(value);
  return { value: quoted ? value.slice(1, -1) : value, end: at };
}

function readLines(first: string, quote: string, lines: readonly string[], at: number): { value: string; end: number } {
  const parts = [first];
  for (let end = at + 1; end < lines.length; end++) {
    const line = lines[end] ?? '';
    const closed = line.lastIndexOf(quote);
    if (closed >= 0) return { value: [...parts, line.slice(0, closed)].join('\n'), end };
    parts.push(line);
  }
  throw new IniError(`line ${at + 1}: the value has no closing ${quote}`);
}
