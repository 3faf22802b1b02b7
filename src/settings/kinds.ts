import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { trimEnd } from '../text/trim-end.ts';

/** The value in the environment or the settings file: a text, or the items of a list. */
export type SettingInput = string | readonly string[];

/** How a setting is written, and its value. */
export interface Kind<T> {
  /** The valid values, for the documentation. */
  readonly name: string;
  /** The unit of its numbers; a limit of -1 means none. */
  readonly unit?: 'milliseconds' | 'bytes' | 'limit';
  /** @throws Error whose message describes the mistake, without the setting's name and without the value */
  readonly parse: (input: SettingInput) => T;
}

function kind<T>(name: string, parse: (text: string) => T, unit?: Kind<T>['unit']): Kind<T> {
  return {
    name,
    ...(unit && { unit }),
    parse: (input) => {
      if (typeof input !== 'string') throw new Error(`must be ${name}, not a list`);
      return parse(input.trim());
    },
  };
}

/** One line of text, not empty. */
export function text(options: { pattern?: RegExp; name?: string; maxLength?: number } = {}): Kind<string> {
  const { pattern, name = 'a text', maxLength = 1000 } = options;
  return kind(name, (value) => {
    if (value === '') throw new Error(`must be ${name}, not empty`);
    if (value.length > maxLength) throw new Error(`must be at most ${maxLength} characters long`);
    if (/[\0\r\n]/.test(value)) throw new Error('must be one line');
    if (pattern && !pattern.test(value)) throw new Error(`must be ${name}`);
    return value;
  });
}

/** A text of several lines, as in a private key. */
export function longText(name = 'a text'): Kind<string> {
  return kind(name, (value) => {
    if (value === '') throw new Error(`must be ${name}, not empty`);
    return value;
  });
}

/** `true` or `false`; nothing else, so that a misspelled word never enables anything. */
export function boolean(): Kind<boolean> {
  return kind('true or false', (value) => {
    if (value !== 'true' && value !== 'false') throw new Error('must be true or false');
    return value === 'true';
  });
}

/** A whole number within limits. */
export function integer(min: number, max: number): Kind<number> {
  const name = `a whole number from ${min} to ${max}`;
  return kind(name, (value) => {
    const number = Number(value);
    if (!/^-?\d{1,15}$/.test(value) || number < min || number > max) throw new Error(`must be ${name}`);
    return number;
  });
}

/** A TCP port; 0 lets the system choose one. */
export const port = () => integer(0, 65_535);

/** The port of the SSH server: null for none, `free` to let the system choose one, `auto` for 2222 if it is free. */
export function sshPort(): Kind<number | 'auto' | 'free' | null> {
  const number = port();
  return kind('a port, 0 for none, free or auto', (value) => {
    if (value === 'free' || value === 'auto') return value;
    return value === '' ? null : number.parse(value) || null;
  });
}

/** An integer; -1 means no limit. */
export const limit = (): Kind<number> => ({ ...integer(-1, 1_000_000_000), unit: 'limit' });

const DURATION_UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const MAX_DURATION = 36_500 * 86_400_000;

/** A time such as `90s`, `10m` or `1h30m`, in milliseconds. */
export function duration(options: { min?: string; max?: string } = {}): Kind<number> {
  const min = parseDuration(options.min ?? '0s');
  const max = options.max === undefined ? MAX_DURATION : parseDuration(options.max);
  const parse = (value: string) => {
    const milliseconds = parseDuration(value);
    if (milliseconds < min) throw new Error(`must be at least ${options.min}`);
    if (milliseconds > max) throw new Error(`must be at most ${options.max ?? '36500d'}`);
    return milliseconds;
  };
  return kind('a duration such as 30s, 10m, 8h or 7d', parse, 'milliseconds');
}

function parseDuration(value: string): number {
  if (value === '0') return 0;
  if (!/^(\d{1,12}(ms|s|m|h|d))+$/.test(value)) throw new Error('must be a duration such as 30s, 10m, 8h or 7d');
  let milliseconds = 0;
  for (const [, amount, unit = ''] of value.matchAll(/(\d+)(ms|s|m|h|d)/g)) milliseconds += Number(amount) * (DURATION_UNITS[unit] ?? 0);
  return milliseconds;
}

const SIZE_UNITS: Readonly<Record<string, number>> = { B: 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40 };

/** A size such as `512KiB` or `4MiB`, in bytes. */
export function size(options: { min?: number; max?: number } = {}): Kind<number> {
  const { min = 0, max = Number.MAX_SAFE_INTEGER } = options;
  const parse = (value: string) => {
    const bytes = parseSize(value);
    if (bytes < min) throw new Error(`must be at least ${min} bytes`);
    if (bytes > max) throw new Error(`must be at most ${max} bytes`);
    return bytes;
  };
  return kind('a size such as 512KiB, 4MiB or 2GiB', parse, 'bytes');
}

/** A size in bytes, or -1 for no limit. */
export function sizeLimit(): Kind<number> {
  return kind('a size such as 4MiB or 2GiB, or -1 for no limit', (value) => (value === '-1' ? -1 : parseSize(value)), 'bytes');
}

function parseSize(value: string): number {
  const [, amount, unit = 'B'] = /^(\d{1,15})(B|KiB|MiB|GiB|TiB)?$/.exec(value) ?? [];
  if (amount === undefined) throw new Error('must be a size such as 512KiB, 4MiB or 2GiB');
  const bytes = Number(amount) * (SIZE_UNITS[unit] ?? 1);
  if (!Number.isSafeInteger(bytes)) throw new Error('is too large');
  return bytes;
}

/** One of a few words. */
export function choice<const T extends string>(...words: readonly T[]): Kind<T> {
  const name = `one of ${words.join(', ')}`;
  return kind(name, (value) => {
    const word = words.find((candidate) => candidate === value);
    if (word === undefined) throw new Error(`must be ${name}`);
    return word;
  });
}

/** An IP address or a host name. A name whose last part is a number is neither: it is a mistyped address. */
export function host(): Kind<string> {
  const name = 'an IP address or a host name';
  return kind(name, (value) => {
    const isName = value.length <= 253 && /^[a-z0-9-]+(\.[a-z0-9-]+)*\.?$/i.test(value) && !/(^|\.)\d+\.?$/.test(value);
    if (isIP(value) === 0 && !isName) throw new Error(`must be ${name}`);
    return value;
  });
}

/** An absolute http or https URL; it ends with a slash afterwards. */
export function baseUrl(): Kind<string> {
  const name = 'an absolute http or https URL without query or fragment';
  return kind(name, (value) => {
    const url = httpUrl(value);
    if (!url || url.search || url.hash || url.username || url.password) throw new Error(`must be ${name}`);
    return `${trimEnd(url.href, '/')}/`;
  });
}

/** An absolute URL of one of these schemes, as it was written. */
export function absoluteUrl(...schemes: readonly string[]): Kind<string> {
  const name = `a URL that begins with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`;
  return kind(name, (value) => {
    const scheme = /^([a-z][a-z0-9+.-]*):\/\/./i.exec(value)?.[1]?.toLowerCase();
    if (scheme === undefined || !schemes.includes(scheme) || !URL.canParse(value)) throw new Error(`must be ${name}`);
    return value;
  });
}

function httpUrl(value: string): URL | null {
  const url = URL.parse(value);
  return url && /^https?:$/.test(url.protocol) && /^https?:\/\//i.test(value) && url.hostname !== '' ? url : null;
}

/** A path of a file or folder; a relative one begins at the working directory. */
export function path(): Kind<string> {
  return kind('a path', (value) => {
    if (value === '' || value.includes('\0')) throw new Error('must be a path');
    return resolve(value);
  });
}

/** An e-mail address. */
export function email(): Kind<string> {
  return text({ pattern: /^[^\s@<>,]+@[^\s@<>,]+$/, name: 'an e-mail address', maxLength: 254 });
}

/** The name of an HTTP header (RFC 9110, section 5.1). */
export function headerName(): Kind<string> {
  return text({ pattern: /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/, name: 'the name of an HTTP header', maxLength: 100 });
}

/** An IP address or a network in CIDR notation. */
export function network(): Kind<string> {
  return kind('an IP address or a network such as 10.0.0.0/8', (value) => {
    if (!isNetwork(value)) throw new Error('must be an IP address or a network such as 10.0.0.0/8');
    return value;
  });
}

function isNetwork(value: string): boolean {
  const [host = '', bits, ...rest] = value.split('/');
  const version = isIP(host);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

/** Hosts that may be reached: `loopback`, `private`, `external`, `*`, an IP address, a network, or a host name with `*` for any part. */
export function hostPattern(): Kind<string> {
  const name = 'loopback, private, external, *, an IP address, a network, or a host name such as *.example.com';
  return kind(name, (value) => {
    if (!isNetwork(value) && !/^(\*|[a-z0-9_*]([a-z0-9_*.-]*[a-z0-9_*])?)$/i.test(value)) throw new Error(`must be ${name}`);
    return value.toLowerCase();
  });
}

/** Items separated by commas; in the settings file also a YAML list. Empty items are left out, an empty text is the empty list. */
export function list<T>(item: Kind<T>, options: { maxItems?: number; minItems?: number } = {}): Kind<readonly T[]> {
  const { maxItems = 1000, minItems = 0 } = options;
  return {
    name: `a list; each: ${item.name}`,
    parse: (input) => {
      const texts = (typeof input === 'string' ? input.split(',') : input).map((entry) => entry.trim()).filter((entry) => entry !== '');
      if (texts.length < minItems) throw new Error(`must have at least ${minItems} ${minItems === 1 ? 'item' : 'items'}`);
      if (texts.length > maxItems) throw new Error(`must have at most ${maxItems} items`);
      return Object.freeze([...new Set(texts)].map((entry) => parseItem(item, entry)));
    },
  };
}

function parseItem<T>(item: Kind<T>, entry: string): T {
  try {
    return item.parse(entry);
  } catch (error) {
    throw new Error(`has an item that ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** A setting that may be absent: an empty text is `null`. */
export function optional<T>(inner: Kind<T>): Kind<T | null> {
  return {
    ...inner,
    name: `${inner.name}; may be empty`,
    parse: (input) => (typeof input === 'string' && input.trim() === '' ? null : inner.parse(input)),
  };
}
