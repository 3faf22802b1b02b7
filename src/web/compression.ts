import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzip,
  gzipSync,
  zstdCompress,
  zstdCompressSync,
} from 'node:zlib';
import { acceptedEncoding, type Encoding } from '../http/accepted-encoding.ts';
import { HttpResponse } from '../http/responses.ts';

/** Smaller bodies fit into one packet anyway. */
const MIN_BYTES = 1400;
/** So many are compressed in a third of a millisecond, in which another thread could not even begin. */
const SMALL_BYTES = 128 * 1024;
/** Characters of a longer page are converted to bytes in parts, between which others are served. */
const PART = 512 * 1024;

const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

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
  if (body.length > PART)
    return new HttpResponse(
      pipeline(Readable.from(partsOf(body)), streamOf(encoding), () => {}),
      options,
    );
  const bytes = Buffer.from(body);
  return new HttpResponse(bytes.length <= SMALL_BYTES ? small(encoding, bytes) : await large(encoding, bytes), options);
}

function* partsOf(text: string): Generator<Buffer> {
  for (let start = 0; start < text.length; ) {
    const end = start + PART;
    // The halves of a character stay together.
    const isHalf = end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800;
    yield Buffer.from(text.slice(start, isHalf ? end - 1 : end));
    start = isHalf ? end - 1 : end;
  }
}

function small(encoding: Encoding, bytes: Buffer): Buffer {
  if (encoding === 'zstd') return zstdCompressSync(bytes);
  return encoding === 'br' ? brotliCompressSync(bytes, brotli) : gzipSync(bytes);
}

function large(encoding: Encoding, bytes: Buffer): Promise<Buffer> {
  if (encoding === 'zstd') return promisify(zstdCompress)(bytes);
  return encoding === 'br' ? promisify(brotliCompress)(bytes, brotli) : promisify(gzip)(bytes);
}

function streamOf(encoding: Encoding) {
  if (encoding === 'zstd') return createZstdCompress({ flush: constants.ZSTD_e_flush });
  if (encoding === 'br') return createBrotliCompress({ ...brotli, flush: constants.BROTLI_OPERATION_FLUSH });
  return createGzip({ flush: constants.Z_SYNC_FLUSH });
}
