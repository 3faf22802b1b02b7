import { isUtf8 } from 'node:buffer';

/**
 * The text of a git object: UTF-8, or the encoding in a commit's header. Invalid bytes become U+FFFD, as JSON cannot represent them.
 */
export function decodeText(bytes: Buffer, encoding = ''): string {
  if (encoding !== '' && !/^utf-?8$/i.test(encoding)) {
    try {
      return new TextDecoder(encoding).decode(bytes);
    } catch {
      // An unknown encoding is read like the default one.
    }
  }
  return bytes.toString('utf8');
}

/** Like {@link decodeText}, for messages: each run of invalid bytes becomes one `?`, as clients expect. */
export function decodeMessage(bytes: Buffer, encoding = ''): string {
  if (encoding !== '' || isUtf8(bytes)) return decodeText(bytes, encoding);
  return bytes.toString('utf8').replace(/\ufffd+/g, '?');
}
