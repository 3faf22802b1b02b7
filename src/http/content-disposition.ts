import { create } from 'content-disposition';

/**
 * The header that names a file for who saves it (RFC 6266): quoted where that is needed, with a plain stand-in and `filename*`
 * for what is not ASCII. A file's name never ends the header, nor begins another one.
 * @param name a name or a path, of which the last part counts
 */
export function contentDisposition(kind: 'inline' | 'attachment', name: string): string {
  const base = name.toWellFormed().split('/').at(-1) ?? '';
  const plain = base.replace(/[^ -~]/gu, '_');
  const header = create(plain, { type: kind, fallback: plain });
  return plain === base ? header : `${header}; filename*=utf-8''${extended(base)}`;
}

/** A text as RFC 8187 has it. Gitea names the charset in lower case and leaves every `attr-char`, so clients that compare find the same. */
function extended(text: string): string {
  return encodeURIComponent(text)
    .replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replace(/%(?:2[346B]|5E|60|7C)/g, decodeURIComponent);
}
