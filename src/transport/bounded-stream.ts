import { Readable } from 'node:stream';

/** A client sends more than it may. */
export class BodyLimitError extends Error {
  override readonly name = 'BodyLimitError';
}

/** The bytes of a stream as long as they are no more than `limit`; beyond that it fails with {@link BodyLimitError}. */
export function boundedStream(source: Readable, limit: number): Readable {
  return Readable.from(bounded(source, limit), { objectMode: false });
}

async function* bounded(source: Readable, limit: number): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of source as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) throw new BodyLimitError(`more than ${limit} bytes`);
    yield chunk;
  }
}
