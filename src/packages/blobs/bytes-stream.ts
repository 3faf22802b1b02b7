import { Readable } from 'node:stream';

/** The bytes as a stream with one chunk, for less than `Readable.from` takes. */
export function streamOf(bytes: Buffer): Readable {
  const stream = new Readable({ read() {} });
  stream.push(bytes);
  stream.push(null);
  return stream;
}
