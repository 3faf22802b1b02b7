import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

/** How often one read goes on after its connection was lost without having got a byte since. */
const MAX_RESUMES = 4;
const FIRST_DELAY_MS = 100;

/**
 * A stream that opens its source again where it was when that breaks off, as connections do that a slow reader has left idle.
 * @param first the source from `start` on
 * @param open opens the source at a later byte
 */
export function resumingStream(first: Readable, start: number, open: (start: number) => Promise<Readable>): Readable {
  return Readable.from(resuming(first, start, open), { objectMode: false });
}

async function* resuming(first: Readable, start: number, open: (start: number) => Promise<Readable>): AsyncGenerator<Buffer> {
  let position = start;
  let source: Readable | undefined = first;
  for (let failures = 0; ; ) {
    try {
      source ??= await open(position);
      for await (const chunk of source as AsyncIterable<Buffer>) {
        position += chunk.length;
        failures = 0;
        yield chunk;
      }
      return;
    } catch (error) {
      if (++failures > MAX_RESUMES) throw error;
      source = undefined;
      await sleep(FIRST_DELAY_MS * 2 ** (failures - 1));
    }
  }
}
