/** A text is not a duration as Go writes them; the message is the one that clients know. */
export class InvalidDurationError extends Error {
  override readonly name = 'InvalidDurationError';
}

const UNITS: Readonly<Record<string, number>> = { ns: 1e-9, us: 1e-6, µs: 1e-6, μs: 1e-6, ms: 1e-3, s: 1, m: 60, h: 3600 };
/** Length limit of a duration in characters, and of what a message shows of a longer one. */
const MAX_LENGTH = 500;
/** The maximum of Go's 64-bit nanoseconds. */
const MAX_SECONDS = 9_223_372_036;

/**
 * Parses a duration such as `8h`, `1h30m` or `0`, by the rules of Go's `time.ParseDuration`.
 * @returns seconds, maybe negative, maybe with a fraction
 * @throws InvalidDurationError
 */
export function parseGoDuration(text: string): number {
  const quoted = quote(text.slice(0, MAX_LENGTH));
  if (text.length > MAX_LENGTH) throw new InvalidDurationError(`time: invalid duration ${quoted}`);
  const [, sign = '', rest = ''] = /^([+-]?)(.*)$/s.exec(text) ?? [];
  if (rest === '0') return 0;
  if (rest === '') throw new InvalidDurationError(`time: invalid duration ${quoted}`);
  let seconds = 0;
  for (let at = 0; at < rest.length; ) {
    const [whole = '', amount = '', unit = ''] = /^(\d+\.?\d*|\.\d+)([^\d.]*)/.exec(rest.slice(at)) ?? [];
    if (whole === '') throw new InvalidDurationError(`time: invalid duration ${quoted}`);
    if (unit === '') throw new InvalidDurationError(`time: missing unit in duration ${quoted}`);
    const factor = UNITS[unit];
    if (factor === undefined) throw new InvalidDurationError(`time: unknown unit ${quote(unit)} in duration ${quoted}`);
    seconds += Number(amount) * factor;
    if (seconds > MAX_SECONDS) throw new InvalidDurationError(`time: invalid duration ${quoted}`);
    at += whole.length;
  }
  return sign === '-' ? -seconds : seconds;
}

/** A text as Go quotes it in these messages: control characters and non-ASCII characters as their bytes. */
function quote(text: string): string {
  const shown = [...Buffer.from(text)].map((byte) => {
    if (byte < 0x20 || byte >= 0x80) return `\\x${byte.toString(16).padStart(2, '0')}`;
    const character = String.fromCharCode(byte);
    return character === '"' || character === '\\' ? `\\${character}` : character;
  });
  return `"${shown.join('')}"`;
}

/** Writes seconds as Go does: `8h0m0s`, `10m0s`, `0s`. A fraction is left out. */
export function formatGoDuration(seconds: number): string {
  const total = Math.floor(Math.abs(seconds));
  const sign = seconds < 0 ? '-' : '';
  const [hours, minutes, rest] = [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60];
  if (hours > 0) return `${sign}${hours}h${minutes}m${rest}s`;
  return minutes > 0 ? `${sign}${minutes}m${rest}s` : `${sign}${rest}s`;
}
