import { isUtf8 } from 'node:buffer';

/**
 * The text that git objects hold: UTF-8, or the encoding that a commit's header names. Bytes that are no text in it become
 * U+FFFD, as JSON cannot hold them.
 */
export function decodeText(bytes: Buffer, encoding = ''): string {
  if (encoding !== '' && !/^utf-?8$/i.test(encoding)) {
    try {
      return new TextDecoder(encoding).decode(bytes);
    } catch {
      // An encoding that nobody knows is read like the default one.
    }
  }
  return bytes.toString('utf8');
}

/** Like {@link decodeText}, for messages: each run of bytes that are no text becomes one `?`, which is what clients have always got. */
export function decodeMessage(bytes: Buffer, encoding = ''): string {
  if (encoding !== '' || isUtf8(bytes)) return decodeText(bytes, encoding);
  return bytes.toString('utf8').replace(/\ufffd+/g, '?');
}
