const MID = /[a-zA-Z0-9\-._~%!$&'*+,;=:@/?#\\]/;
const END = /[a-zA-Z0-9\-_~%$&+=/#]/;

/** Whether a character may stand inside an address. Outside ASCII: all but blanks and characters for private use by format. */
const isMid = (character: string): boolean =>
  character > '\x7f' ? !/[\s\p{Cc}\p{Cs}]/u.test(character) && character > '\xa0' : MID.test(character);
/** Whether it may also end one: punctuation at the end belongs to the sentence. */
const isEnd = (character: string): boolean => (character > '\x7f' ? isMid(character) && !/\p{Po}/u.test(character) : END.test(character));

const CLOSING: Record<string, string> = { '(': ')', '[': ']', '{': '}' };

/** The end of the balanced brackets (two levels) that open at `start`, or -1. */
function balanced(text: string, start: number): number {
  const opening = text[start] ?? '';
  const closing = CLOSING[opening];
  let depth = 0;
  for (let i = start; i < text.length && i < start + 2048; i++) {
    const character = text[i] ?? '';
    if (character === closing) {
      if (--depth === 0) return i + 1;
    } else if (character === opening) {
      if (++depth > 2) return -1;
    } else if (!isMid(character)) return -1;
  }
  return -1;
}

/** The end of what follows a scheme at `start` in an address; `start` itself when nothing does. */
function urlEnd(text: string, start: number): number {
  let end = start;
  for (let i = start; i < text.length; ) {
    const character = text[i] ?? '';
    if (character in CLOSING) {
      const after = balanced(text, i);
      if (after < 0) break;
      i = after;
      end = after;
    } else if (isMid(character)) {
      i++;
      if (isEnd(character)) end = i;
    } else break;
  }
  return end;
}

/** The first address in `text` that begins with one of the schemes that `scheme` (global, sticky use) finds. */
export function findWebUrl(text: string, scheme: RegExp): { start: number; end: number } | undefined {
  scheme.lastIndex = 0;
  for (let match = scheme.exec(text); match; match = scheme.exec(text)) {
    const body = match.index + match[0].length;
    const end = urlEnd(text, body);
    if (end > body) return { start: match.index, end };
  }
  return undefined;
}

const NO_AUTHORITY = new Set(['bitcoin', 'cid', 'file', 'geo', 'magnet', 'mailto', 'matrix', 'mid', 'sms', 'tel', 'xmpp']);

/** A pattern of the beginnings of addresses with http, https or one of `schemes`. */
export function schemePattern(schemes: readonly string[] = []): RegExp {
  const beginnings = schemes
    .filter((scheme) => /^[a-z]+$/.test(scheme))
    .map((scheme) => (NO_AUTHORITY.has(scheme) ? `${scheme}:` : `${scheme}://`));
  return new RegExp(['https?://', ...beginnings].join('|'), 'gi');
}
