import { unprocessable } from '../../http/errors.ts';

/**
 * The bytes of a base64 text (RFC 4648 §4, line ends ignored). Node would skip what is none.
 * @throws HttpError 422
 */
export function decodeBase64(text: string): Buffer {
  const compact = /[\r\n]/.test(text) ? text.replace(/[\r\n]+/g, '') : text;
  const padding = compact.endsWith('==') ? 2 : compact.endsWith('=') ? 1 : 0;
  const end = compact.length - padding;
  const wrong = compact.slice(0, end).search(/[^A-Za-z0-9+/]/);
  if (wrong >= 0) throw unprocessable(`illegal base64 data at input byte ${wrong}`);
  if (compact.length % 4 !== 0) throw unprocessable(`illegal base64 data at input byte ${end}`);
  return Buffer.from(compact, 'base64');
}
