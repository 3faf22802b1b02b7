import { create } from 'content-disposition';

/**
 * The header that names a file for saving (RFC 6266): quoted where necessary, with an ASCII fallback and `filename*` for other names.
 * A file name cannot end the header or begin another one.
 * @param name a name or a path, of which the last part is used
 */
export function contentDisposition(kind: 'inline' | 'attachment', name: string): string {
  const base = name.toWellFormed().split('/').at(-1) ?? '';
  const plain = base.replace(/[^ -~]/gu, '_');
  const header = create(plain, { type: kind, fallback: plain });
  return plain === base ? header : `${header}; filename*=utf-8''${extended(base)}`;
}

/** The headers of a file to save, whose name scripts of other origins may read as well. */
export function savedAs(name: string): Record<string, string> {
  return { 'content-disposition': contentDisposition('attachment', name), 'access-control-expose-headers': 'Content-Disposition' };
}

/** A text in the form of RFC 8187. Like Gitea it writes the charset in lower case and keeps every `attr-char`, for clients that compare. */
function extended(text: string): string {
  return encodeURIComponent(text)
    .replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replace(/%(?:2[346B]|5E|60|7C)/g, decodeURIComponent);
}
