import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, createZstdCompress, gzip, zstdCompress } from 'node:zlib';
import { HttpResponse } from '../http/responses.ts';

/** The content codings that pages are sent in (RFC 9110, 8.4.1). */
export type Encoding = 'br' | 'gzip' | 'zstd';

/** Smaller bodies fit into one packet anyway. */
const MIN_BYTES = 1400;

const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

/** The first of the offered encodings that a client accepts. Weights other than zero are not compared. */
export function acceptedEncoding<E extends Encoding>(header: string | string[] | undefined, offered: readonly E[]): E | undefined {
  const accepted = String(header ?? '')
    .split(',')
    .map((part) => part.trim().split(/\s*;\s*q=/))
    .flatMap(([name = '', weight = '1']) => (Number(weight) > 0 ? name.toLowerCase() : []));
  return offered.find((encoding) => accepted.includes(encoding));
}

/** Compresses the body of a page as the client accepts it; a stream is flushed with every part, so that nothing waits. */
export async function compressed(response: HttpResponse, accept: string | string[] | undefined): Promise<HttpResponse> {
  const { body, status, headers } = response;
  const encoding = acceptedEncoding(accept, ['zstd', 'br', 'gzip']);
  if (encoding === undefined || !/^(?:text\/html|application\/json)\b/.test(headers['content-type'] ?? '')) return response;
  const sent = { ...headers, 'content-encoding': encoding, vary: 'Accept-Encoding, Cookie' };
  const options = { headers: sent, raw: true, ...(status !== undefined && { status }) };
  if (body instanceof Readable)
    return new HttpResponse(
      pipeline(body, streamOf(encoding), () => {}),
      options,
    );
  if (typeof body !== 'string' || body.length < MIN_BYTES) return response;
  return new HttpResponse(await whole(encoding, Buffer.from(body)), options);
}

function whole(encoding: Encoding, bytes: Buffer): Promise<Buffer> {
  if (encoding === 'zstd') return promisify(zstdCompress)(bytes);
  return encoding === 'br' ? promisify(brotliCompress)(bytes, brotli) : promisify(gzip)(bytes);
}

function streamOf(encoding: Encoding) {
  if (encoding === 'zstd') return createZstdCompress({ flush: constants.ZSTD_e_flush });
  if (encoding === 'br') return createBrotliCompress({ ...brotli, flush: constants.BROTLI_OPERATION_FLUSH });
  return createGzip({ flush: constants.Z_SYNC_FLUSH });
}
