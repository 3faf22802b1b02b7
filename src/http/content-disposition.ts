import { create } from 'content-disposition';

/**
 * The header that names a file for who saves it (RFC 6266): quoted where that is needed, with a plain stand-in and `filename*`
 * for what is not ASCII. A file's name never ends the header, nor begins another one.
 * @param name a name or a path, of which the last part counts
 */
export function contentDisposition(kind: 'inline' | 'attachment', name: string): string {
  const base = name.toWellFormed().split('/').at(-1) ?? '';
  return create(base, { type: kind, fallback: base.replace(/[^ -~]/gu, '_') });
}
