import { acceptedEncoding } from '../../http/accepted-encoding.ts';
import type { RequestParts } from '../../http/route.ts';

/** Bytes from which on documents have a compressed form too: what a response costs beside its bytes is as much. */
const GZIP_FROM = 16 * 1024;

/** Whether a document of this size also has a compressed form. */
export function isLongDocument({ size }: { readonly size: number }): boolean {
  return size >= GZIP_FROM;
}

/** Whether a client gets the compressed form of a long document; ranges are of the other one. */
export function acceptsGzip({ headers }: RequestParts): boolean {
  return headers.range === undefined && acceptedEncoding(headers['accept-encoding'], ['gzip']) !== undefined;
}

/** The headers of a document. Caches need to know that a long one has two forms. */
export function encodedHeaders(
  headers: Readonly<Record<string, string>>,
  { isLong, isGzip }: { isLong: boolean; isGzip: boolean },
): Record<string, string> {
  if (!isLong) return { ...headers };
  const vary = headers.vary === undefined ? 'Accept-Encoding' : `${headers.vary}, Accept-Encoding`;
  return { ...headers, vary, ...(isGzip && { 'content-encoding': 'gzip' }) };
}
