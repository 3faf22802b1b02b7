import { Readable } from 'node:stream';

/** The bytes of a stream as long as they are no more than `limit`; beyond that it fails. */
export function boundedStream(source: Readable, limit: number): Readable {
  return Readable.from(bounded(source, limit), { objectMode: false });
}

async function* bounded(source: Readable, limit: number): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of source as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) throw new RangeError(`more than ${limit} bytes`);
    yield chunk;
  }
}
