import { trimEnd } from '../../text/trim-end.ts';

/** A time with its time zone, as in commits and tags. */
export interface GitTime {
  /** Whole seconds since 1970-01-01T00:00:00Z. */
  readonly seconds: number;
  /** Minutes east of UTC. */
  readonly offset: number;
}

/** The author of a commit or a tag, with the time. */
export interface Signature extends GitTime {
  readonly name: string;
  readonly email: string;
}

/** A name or a time that a commit cannot have. */
export class InvalidSignatureError extends Error {
  override readonly name = 'InvalidSignatureError';
}

const MAX_OFFSET_MINUTES = 14 * 60;
// 9999-12-31T23:59:59Z: the last time of RFC 3339.
const MAX_SECONDS = 253_402_300_799;

/** The current time, in UTC. */
export function gitNow(): GitTime {
  return { seconds: Math.floor(Date.now() / 1000), offset: 0 };
}

/** Parses an RFC 3339 date and keeps its time zone; returns undefined for anything else. */
export function parseRfc3339(text: string): GitTime | undefined {
  const match = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|([+-])(\d\d):(\d\d))$/i.exec(text);
  const time = match ? Date.parse(text) : Number.NaN;
  if (!match || Number.isNaN(time)) return undefined;
  const minutes = Number(match[2] ?? 0) * 60 + Number(match[3] ?? 0);
  return { seconds: Math.floor(time / 1000), offset: match[1] === '-' ? -minutes : minutes };
}

/** Characters that git removes at either end of a name. */
const ENDS = `${String.fromCharCode(...Array(33).keys())}.,:;<>"\\'`;

/**
 * A name or e-mail address as git writes it: without line ends, NUL and angle brackets, and without punctuation and
 * blanks at either end (git's ident.c), so that the same input gives the same commit id as the git program.
 */
export function cleanIdentity(text: string): string {
  return trimEnd(text.replace(/^[\x00-\x20.,:;<>"\\']+/, ''), ENDS).replace(/[\n\0<>]/g, '');
}

/** `Name <address>`, as in trailers. */
export function formatIdentity(signature: Pick<Signature, 'name' | 'email'>): string {
  return `${cleanIdentity(signature.name)} <${cleanIdentity(signature.email)}>`;
}

/**
 * `Name <address> seconds zone`, as in the headers of commits and tags.
 * @throws InvalidSignatureError when the name becomes empty, or git cannot store the time
 */
export function formatSignature(signature: Signature): string {
  if (cleanIdentity(signature.name) === '') throw new InvalidSignatureError(`no usable name: ${JSON.stringify(signature.name)}`);
  return `${formatIdentity(signature)} ${formatGitTime(signature)}`;
}

/** `seconds ±hhmm`. */
export function formatGitTime({ seconds, offset }: GitTime): string {
  if (!Number.isInteger(seconds) || seconds < 0 || seconds > MAX_SECONDS) throw new InvalidSignatureError(`time out of range: ${seconds}`);
  if (!Number.isInteger(offset) || Math.abs(offset) > MAX_OFFSET_MINUTES)
    throw new InvalidSignatureError(`time zone out of range: ${offset}`);
  const minutes = Math.abs(offset);
  const zone = String(Math.floor(minutes / 60) * 100 + (minutes % 60)).padStart(4, '0');
  return `${seconds} ${offset < 0 ? '-' : '+'}${zone}`;
}
