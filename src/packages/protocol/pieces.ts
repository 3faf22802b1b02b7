import { Readable } from 'node:stream';

/** Characters that are sent at once. */
const PIECE = 64 * 1024;

/** A document that is written while it is sent, in pieces that are worth a write each. */
export function documentStream(parts: AsyncIterable<string>): Readable {
  return Readable.from(inPieces(parts));
}

async function* inPieces(parts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let waiting: string[] = [];
  let length = 0;
  for await (const part of parts) {
    waiting.push(part);
    length += part.length;
    if (length < PIECE) continue;
    yield Buffer.from(waiting.join(''));
    waiting = [];
    length = 0;
  }
  if (length > 0) yield Buffer.from(waiting.join(''));
}
