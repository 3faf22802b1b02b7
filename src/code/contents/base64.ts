import { unprocessable } from '../../http/errors.ts';

/**
 * The bytes of a base64 text (RFC 4648 §4, line ends ignored). Node would skip invalid characters.
 * @throws HttpError 422
 */
export function decodeBase64(text: string): Buffer {
  const fault = faultIn(text);
  if (fault !== undefined) throw unprocessable(`illegal base64 data at input byte ${fault}`);
  return Buffer.from(text, 'base64');
}

/** The position where a text stops being base64, in bytes: an invalid character, an incomplete group of four, or data after the padding. */
function faultIn(text: string): number | undefined {
  const body = /^[A-Za-z0-9+/\r\n]*/.exec(text)?.[0] ?? '';
  const loose = body.replace(/[\r\n]+/g, '').length % 4;
  const rest = text.slice(body.length);
  if (rest === '') return loose === 0 ? undefined : body.length - loose;
  if (!rest.startsWith('=') || loose < 2) return body.length;
  const padding = (loose === 2 ? /^=[\r\n]*=[\r\n]*/ : /^=[\r\n]*/).exec(rest)?.[0];
  if (padding === rest) return undefined;
  if (padding !== undefined) return body.length + padding.length;
  const begun = /^=[\r\n]*/.exec(rest)?.[0] ?? '';
  return begun === rest ? text.length : body.length + begun.length - 1;
}
