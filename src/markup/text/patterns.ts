/** A stretch of text. */
export interface Span {
  start: number;
  end: number;
}

// `\s` of these patterns is ASCII blanks only: other blanks do not set a reference apart.
const BEFORE = String.raw`(?:[\t\n\f\r ]|^|\(|\[)`;
const AFTER = String.raw`(?:[\t\n\f\r ]|$|\)|\]|[:;,.?!](?:[\t\n\f\r ]|$))`;

const MENTION = new RegExp(
  String.raw`${BEFORE}(@[-\w][-.\w]*?(?:/[-\w][-.\w]*?)?)(?:[\t\n\f\r ]|$|[:,;.?!](?:[\t\n\f\r ]|$)|'|\)|\])`,
  'd',
);
const COMMIT_ID = /(?:[\t\n\f\r ]|^|\(|\[)([0-9a-f]{7,64})(?:[\t\n\f\r ]|$|\)|\]|[.,:](?:[\t\n\f\r ]|$))/d;
const NUMBER = /(?:[\t\n\f\r ]|^|\(|\[|'|")((?:[\w.-]+\/[\w.-]+)?[#!][0-9]+)(?:[\t\n\f\r ]|$|\)|\]|'|"|[:;,.?!](?:[\t\n\f\r ]|$))/dg;
const ALPHANUMERIC = /(?:[\t\n\f\r ]|^|\(|\[|"|')([A-Z]{1,10}-[1-9][0-9]*)(?:[\t\n\f\r ]|$|\)|\]|:|\.(?:[\t\n\f\r ]|$)|"|'|,)/d;
const CROSS_COMMIT = new RegExp(String.raw`${BEFORE}(([\w.-]+)/([\w.-]+)@([0-9a-f]{7,64}))${AFTER}`, 'd');

function first(pattern: RegExp, text: string): (Span & { groups: (string | undefined)[] }) | undefined {
  const match = pattern.exec(text);
  const place = match?.indices?.[1];
  return match && place ? { start: place[0], end: place[1], groups: [...match] } : undefined;
}

/** The first `@user` or `@org/team` in the text, with the `@`. */
export const findMention = (text: string): Span | undefined => (text.includes('@') ? first(MENTION, text) : undefined);

/** The first word of 7 to 64 hex digits. */
export const findCommitId = (text: string): Span | undefined => first(COMMIT_ID, text);

/** A commit of another repository, `owner/name@id`. */
export interface CommitReference extends Span {
  owner: string;
  name: string;
  id: string;
}

/** The first `owner/name@id` in the text. */
export function findCommitReference(text: string): CommitReference | undefined {
  if (!text.includes('@')) return undefined;
  const found = first(CROSS_COMMIT, text);
  return (
    found && { start: found.start, end: found.end, owner: found.groups[2] ?? '', name: found.groups[3] ?? '', id: found.groups[4] ?? '' }
  );
}

/** A reference to an issue or pull request as written. */
export interface IssueReference extends Span {
  /** Owner and name in lower case, or both empty for the repository at hand. */
  owner: string;
  name: string;
  issue: string;
  /** Whether it was written with `!`. */
  isPull: boolean;
}

function numeric(found: Span, text: string): IssueReference | undefined {
  const written = text.slice(found.start, found.end);
  const mark = written.search(/[#!]/);
  const issue = written.slice(mark + 1);
  // More than a 64-bit number is not an issue.
  if (issue.length > 19 || BigInt(issue) > 9223372036854775807n) return undefined;
  const [owner = '', name = ''] = written.slice(0, mark).toLowerCase().split('/');
  return { start: found.start, end: found.end, owner, name, issue, isPull: written[mark] === '!' };
}

/** The first reference by number: `#1`, `!1` (unless `crossOnly`) or `owner/name#1`; with `pullsOnly` the first of those with `!`. */
export function findNumericReference(text: string, crossOnly: boolean, pullsOnly = false): IssueReference | undefined {
  if (!text.includes('#') && !text.includes('!')) return undefined;
  NUMBER.lastIndex = 0;
  for (let match = NUMBER.exec(text); match; match = NUMBER.exec(text)) {
    const [start, end] = match.indices?.[1] ?? [0, 0];
    NUMBER.lastIndex = end;
    // Quotes set `#1` apart, but not `owner/name#1`.
    const quoted = /['"]/.test(match[0][0] ?? '') || /['"]/.test(text[end] ?? '');
    const short = /^[#!]/.test(match[1] ?? '');
    if (short ? crossOnly : quoted) continue;
    const reference = numeric({ start, end }, text);
    if (reference && (reference.isPull || !pullsOnly)) return reference;
  }
  return undefined;
}

/** The first reference like `ABC-123`. */
export function findAlphanumericReference(text: string): IssueReference | undefined {
  const found = text.includes('-') ? first(ALPHANUMERIC, text) : undefined;
  return found && { start: found.start, end: found.end, owner: '', name: '', issue: text.slice(found.start, found.end), isPull: false };
}

/** The first reference that an external tracker's own pattern finds: the whole match is linked, its first group is the issue. */
export function findPatternReference(text: string, pattern: RegExp): IssueReference | undefined {
  const match = pattern.exec(text);
  if (!match || match[1] === undefined || match[0] === '') return undefined;
  return { start: match.index, end: match.index + match[0].length, owner: '', name: '', issue: match[1], isPull: false };
}

const LOCAL_PART = /[-\w.!#$%&'*+/=?^{|}~]/;
const DOMAIN = /@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9]{2,}(?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)+\b/y;

/** The first email address. Searched from each `@` outwards, at most 256 characters, so that no text costs more than its length. */
export function findEmail(text: string): Span | undefined {
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    DOMAIN.lastIndex = at;
    const domain = DOMAIN.test(text.length > at + 320 ? text.slice(0, at + 320) : text) ? DOMAIN.lastIndex : -1;
    if (domain < 0) continue;
    let start = at;
    while (start > 0 && at - start < 256 && LOCAL_PART.test(text[start - 1] ?? '')) start--;
    // A name starts at the boundary of a word.
    while (start < at && isWord(text[start - 1]) === isWord(text[start])) start++;
    if (start < at) return { start, end: domain };
  }
  return undefined;
}

const isWord = (character: string | undefined): boolean => character !== undefined && /\w/.test(character);
