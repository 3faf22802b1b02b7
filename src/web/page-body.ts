import { Readable } from 'node:stream';
import type { Html } from './html.ts';

/** How long a page waits for its body before it is sent in parts, with its head first. */
const PATIENCE_MS = 10;
/** Length limit of a page that is sent at once in characters. */
const MAX_WHOLE = 128 * 1024;

/**
 * A page whose body comes in parts. One that is soon complete is sent at once: as a stream it would cost nearly as much again.
 * @throws what the body throws before the first part is sent
 */
export async function pageBody(before: string, body: AsyncIterable<Html>, after: string): Promise<string | Readable> {
  const parts = body[Symbol.asyncIterator]();
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, PATIENCE_MS, undefined);
  let text = before;
  try {
    for (;;) {
      const next = parts.next();
      const part = text.length > MAX_WHOLE ? undefined : await Promise.race([next, late]);
      if (!part) return streamOf(text, next, parts, after);
      if (part.done) return text + after;
      text += part.value.text;
    }
  } finally {
    clearTimeout(timer);
  }
}

function streamOf(text: string, next: Promise<IteratorResult<Html>>, parts: AsyncIterator<Html>, after: string): Readable {
  const stream = Readable.from(streamed(text, next, parts, after));
  // Possibly nobody reads it.
  next.catch(() => {});
  stream.once('close', () => void parts.return?.().catch(() => {}));
  return stream;
}

async function* streamed(
  text: string,
  next: Promise<IteratorResult<Html>>,
  parts: AsyncIterator<Html>,
  after: string,
): AsyncGenerator<string> {
  yield text;
  for (let part = await next; !part.done; part = await parts.next()) yield part.value.text;
  yield after;
}
