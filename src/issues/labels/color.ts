import { unprocessable } from '../../http/errors.ts';

/**
 * Normalizes a color: six lower-case hexadecimal digits without `#`. Of three digits each is doubled.
 * @throws HttpError 422
 */
export function normalizeColor(color: string): string {
  const trimmed = color.trim().toLowerCase();
  const given = trimmed.length === 3 || trimmed.length === 6 ? `#${trimmed}` : trimmed;
  if (!/^#([\da-f]{3}|[\da-f]{6})$/.test(given)) throw unprocessable(`invalid color: ${given}`);
  const digits = given.slice(1);
  return digits.length === 6 ? digits : [...digits].map((digit) => digit + digit).join('');
}
