import { unprocessable } from '../../http/errors.ts';

/** Maximum length of a wrong color in the message that refuses it. */
const MAX_SHOWN = 300;

/**
 * Normalizes a color: six lower-case hexadecimal digits without `#`. Of three digits each is doubled.
 * @throws HttpError 422
 */
export function normalizeColor(color: string): string {
  const trimmed = color.trim().toLowerCase();
  const given = [3, 6].includes(Buffer.byteLength(trimmed)) ? `#${trimmed}` : trimmed;
  if (!/^#([\da-f]{3}|[\da-f]{6})$/.test(given)) throw unprocessable(`invalid color: ${given.slice(0, MAX_SHOWN)}`);
  const digits = given.slice(1);
  return digits.length === 6 ? digits : [...digits].map((digit) => digit + digit).join('');
}
