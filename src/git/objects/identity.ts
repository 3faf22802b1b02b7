import { joined } from '../../text/joined.ts';
import { ownText } from '../../text/own-text.ts';

/** The author of a commit or a tag, with the time, as in the object. */
export interface Identity {
  readonly name: string;
  readonly email: string;
  /** Seconds since 1970; `undefined` if the object has no readable time. */
  readonly seconds: number | undefined;
  /** Minutes east of UTC. */
  readonly offset: number;
}

/** Used where a tag names nobody. */
export const NOBODY: Identity = { name: '', email: '', seconds: undefined, offset: 0 };

/** Parses `Name <email> seconds +hhmm`; missing parts are empty. */
export function parseIdentity(text: string): Identity {
  const open = text.indexOf(' <');
  const close = open === -1 ? -1 : text.indexOf('>', open);
  if (close === -1) return { ...NOBODY, name: ownText(text) };
  const name = ownText(text.slice(0, open));
  const email = ownText(text.slice(open + 2, close));
  const time = /^ (-?\d{1,15}) ([+-])(\d\d)(\d\d)$/.exec(text.slice(close + 1));
  if (!time) return { name, email, seconds: undefined, offset: 0 };
  const minutes = Number(time[3]) * 60 + Number(time[4]);
  return { name, email, seconds: Number(time[1]), offset: time[2] === '-' && minutes > 0 ? -minutes : minutes };
}

/** The latest second of JavaScript's dates, in the year 275760. */
const MAX_SECONDS = 8.64e12;

/** Formatted times: lists repeat them. */
const times = new Map<string, string>();
const KEPT_TIMES = 10_000;

/** The time as RFC 3339 in the identity's own zone, `Z` for UTC; Go's zero time if there is none, as clients expect. */
export function identityTime({ seconds, offset }: Identity): string {
  const key = `${seconds} ${offset}`;
  const known = times.get(key);
  if (known !== undefined) return known;
  const made = timeOf(seconds, offset);
  if (times.size === KEPT_TIMES) times.clear();
  times.set(key, made);
  return made;
}

function timeOf(seconds: number | undefined, offset: number): string {
  if (seconds === undefined || Math.abs(seconds + offset * 60) > MAX_SECONDS) return '0001-01-01T00:00:00Z';
  const local = new Date((seconds + offset * 60) * 1000).toISOString().replace(/\.000Z$/, '');
  if (offset === 0) return joined(local, 'Z');
  const minutes = Math.abs(offset);
  const pad = (number: number) => String(number).padStart(2, '0');
  return joined(local, offset < 0 ? '-' : '+', pad(Math.floor(minutes / 60)), ':', pad(minutes % 60));
}

/** The time as RFC 3339 in UTC. */
export function identityTimeUtc(identity: Identity): string {
  return identityTime({ ...identity, offset: 0 });
}
