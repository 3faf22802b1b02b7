import { TimeSlice } from '../../concurrency/time-slice.ts';
import { unprocessable } from '../../http/errors.ts';

/** Characters that are decoded before others are served. */
const STEP = 1024 * 1024;

/**
 * The bytes of a base64 text (RFC 4648 §4, line ends ignored). Node would skip invalid characters.
 * @throws HttpError 422
 */
export async function decodeBase64(text: string): Promise<Buffer> {
  const slice = new TimeSlice();
  const bytes = Buffer.allocUnsafeSlow(Math.ceil(text.length / 4) * 3);
  let [length, at, rest] = [0, 0, ''];
  while (at < text.length) {
    const piece = /^[A-Za-z0-9+/\r\n]*/.exec(text.slice(at, at + STEP))?.[0] ?? '';
    const groups = rest + withoutLineEnds(piece);
    const whole = groups.length - (groups.length % 4);
    length += bytes.write(groups.slice(0, whole), length, 'base64');
    rest = groups.slice(whole);
    at += piece.length;
    if (piece.length < STEP) break;
    if (slice.isOver) await slice.next();
  }
  const fault = faultIn(text.slice(at), rest.length, at);
  if (fault !== undefined) throw unprocessable(`illegal base64 data at input byte ${fault}`);
  length += bytes.write(rest, length, 'base64');
  return bytes.subarray(0, length);
}

/** In bytes: a regular expression would make as many strings as there are lines. */
function withoutLineEnds(text: string): string {
  if (!/[\r\n]/.test(text)) return text;
  const bytes = Buffer.from(text, 'latin1');
  let length = 0;
  for (const byte of bytes) if (byte !== 10 && byte !== 13) bytes[length++] = byte;
  return bytes.toString('latin1', 0, length);
}

/**
 * The position where a text stops being base64, in bytes: an invalid character, an incomplete group of four, or data after the padding.
 * @param end what follows the characters of the alphabet
 * @param loose how many of these are left over from groups of four
 * @param length that of all before `end`
 */
function faultIn(end: string, loose: number, length: number): number | undefined {
  if (end === '') return loose === 0 ? undefined : length - loose;
  if (!end.startsWith('=') || loose < 2) return length;
  const padding = (loose === 2 ? /^=[\r\n]*=[\r\n]*/ : /^=[\r\n]*/).exec(end)?.[0];
  if (padding === end) return undefined;
  if (padding !== undefined) return length + padding.length;
  const begun = /^=[\r\n]*/.exec(end)?.[0] ?? '';
  return begun === end ? length + end.length : length + begun.length - 1;
}
