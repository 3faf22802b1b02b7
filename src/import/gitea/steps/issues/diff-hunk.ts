const ESCAPES: Readonly<Record<string, string>> = { a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/** The diff hunk that Gitea stores with a code comment, without the file names before it. */
export function diffHunk(stored: string): string {
  const parts = unquoted(stored).split('\n@@');
  return parts.length === 2 ? `@@${parts[1]}` : '';
}

/** Texts that are not UTF-8 are stored as Go string literals (strconv.Quote). */
function unquoted(text: string): string {
  if (!/^".*"$/s.test(text)) return text;
  const bytes: Buffer[] = [];
  const pattern = /\\x([0-9a-f]{2})|\\u([0-9a-f]{4})|\\U([0-9a-f]{8})|\\([abfnrtv\\'"])|([^\\]+)/gy;
  for (const [, hex, short, long, escaped, plain] of text.slice(1, -1).matchAll(pattern)) {
    if (hex) bytes.push(Buffer.from(hex, 'hex'));
    else if (short || long) bytes.push(Buffer.from(String.fromCodePoint(Math.min(Number.parseInt(short ?? long ?? '0', 16), 0x10ffff))));
    else bytes.push(Buffer.from(escaped ? (ESCAPES[escaped] ?? escaped) : (plain ?? '')));
  }
  return Buffer.concat(bytes).toString('utf8').replaceAll('\0', '');
}
