/** The form of a time in messages, as clients know it: written as an example. */
const FORM = '2006-01-02T15:04:05Z07:00';

interface Part {
  /** The text in the form above. */
  readonly as: string;
  readonly pattern: RegExp;
  /** The name of a number that is out of range, for the message. */
  readonly name?: string;
  readonly range?: readonly [number, number];
}

const SEPARATORS = { '-': /^-/, T: /^T/, ':': /^:/ };
const separator = (as: keyof typeof SEPARATORS): Part => ({ as, pattern: SEPARATORS[as] });
const PARTS: readonly Part[] = [
  { as: '2006', pattern: /^\d{4}/ },
  separator('-'),
  { as: '01', pattern: /^\d\d/, name: 'month', range: [1, 12] },
  separator('-'),
  { as: '02', pattern: /^\d\d/ },
  separator('T'),
  { as: '15', pattern: /^\d\d?/, name: 'hour', range: [0, 23] },
  separator(':'),
  { as: '04', pattern: /^\d\d/, name: 'minute', range: [0, 59] },
  separator(':'),
  { as: '05', pattern: /^\d\d(?:[.,]\d+)?/, name: 'second', range: [0, 59] },
  { as: 'Z07:00', pattern: /^(?:Z|[+-]\d\d:\d\d)/ },
];

/** A text is not a time. The message says where it becomes invalid. */
export class TimestampError extends Error {
  override readonly name = 'TimestampError';
}

/**
 * Reads a time (RFC 3339) into whole seconds since 1970. An hour of one digit and a comma before the fraction are accepted too.
 * @throws TimestampError for anything else, and for days and hours that do not exist
 */
export function parseTimestamp(text: string): number {
  const found: string[] = [];
  let rest = text;
  for (const { as, pattern, name, range } of PARTS) {
    const [value] = pattern.exec(rest) ?? [];
    if (value === undefined) throw new TimestampError(`parsing time ${quote(text)} as "${FORM}": cannot parse ${quote(rest)} as "${as}"`);
    if (range && (Math.floor(number(value)) < range[0] || Math.floor(number(value)) > range[1])) throw outOfRange(text, name ?? as);
    found.push(value);
    rest = rest.slice(value.length);
  }
  const [year = '', , month = '', , day = '', , hour = '', , minute = '', , second = '', zone = ''] = found;
  const offset = offsetOf(text, zone);
  if (rest !== '') throw new TimestampError(`parsing time ${quote(text)}: extra text: ${quote(rest)}`);
  const date = new Date(0);
  date.setUTCFullYear(number(year), number(month) - 1, number(day));
  if (date.getUTCDate() !== number(day)) throw outOfRange(text, 'day');
  return date.getTime() / 1000 + number(hour) * 3600 + number(minute) * 60 + Math.floor(number(second)) - offset;
}

/** The offset of a zone such as `+02:00` in seconds. */
function offsetOf(text: string, zone: string): number {
  if (zone === 'Z') return 0;
  const [hours, minutes] = [number(zone.slice(1, 3)), number(zone.slice(4))];
  if (hours > 24) throw outOfRange(text, 'time zone offset hour');
  if (minutes > 60) throw outOfRange(text, 'time zone offset minute');
  return (zone.startsWith('-') ? -1 : 1) * (hours * 3600 + minutes * 60);
}

function number(digits: string): number {
  return Number(digits.replace(',', '.'));
}

function outOfRange(text: string, name: string): TimestampError {
  return new TimestampError(`parsing time ${quote(text)}: ${name} out of range`);
}

/** A text in quotes, with control characters and bytes outside ASCII as `\x0a`. */
function quote(text: string): string {
  const bytes = (part: string) => [...Buffer.from(part)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
  return `"${text.replace(/["\\]/g, '\\$&').replace(/[\u0000-\u001f]|[^\u0000-\u007f]+/g, bytes)}"`;
}
