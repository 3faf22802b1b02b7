import { Readable } from 'node:stream';

/** Bytes that wait for a client which is slower than the upstream. */
const MAX_WAITING = 1024 * 1024;

/**
 * Passes a content on to one client while it is stored. The last part is held back until the content has been verified, so that nobody
 * gets a wrong content as a complete one. A client that is too slow gets the rest from the storage: it delays nobody.
 */
export class LiveCopy {
  readonly #begun = Promise.withResolvers<void>();
  readonly #waiting: Buffer[] = [];
  #bytes = 0;
  #held: Buffer | undefined;
  #isLeftBehind = false;
  #wake: () => void = () => {};

  /** Resolves when there is something to send; not for contents that arrive in one part. */
  get begun(): Promise<void> {
    return this.#begun.promise;
  }

  /** The bytes of a content, each also noted here. */
  follow(content: AsyncIterable<Buffer>): Readable {
    return Readable.from(this.#pass(content), { objectMode: false });
  }

  /**
   * The content for the client.
   * @param stored resolves when the content has been stored and verified, or fails; then so does this
   * @param rest the bytes from an offset on, from the storage
   */
  read<T>(stored: Promise<T>, rest: (stored: T, offset: number) => Promise<Readable>): Readable {
    return Readable.from(this.#read(stored, rest), { objectMode: false });
  }

  async *#pass(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of content) {
      if (this.#held) this.#add(this.#held);
      this.#held = chunk;
      yield chunk;
    }
  }

  #add(chunk: Buffer): void {
    if (this.#bytes + chunk.length > MAX_WAITING) this.#isLeftBehind = true;
    if (!this.#isLeftBehind) {
      this.#bytes += chunk.length;
      this.#waiting.push(chunk);
    }
    this.#begun.resolve();
    this.#wake();
  }

  async *#read<T>(stored: Promise<T>, rest: (stored: T, offset: number) => Promise<Readable>): AsyncGenerator<Buffer> {
    let isOver = false;
    const over = () => {
      isOver = true;
      this.#wake();
    };
    stored.then(over, over);
    let offset = 0;
    for (;;) {
      const chunk = this.#waiting.shift();
      if (chunk) {
        this.#bytes -= chunk.length;
        offset += chunk.length;
        yield chunk;
      } else if (this.#isLeftBehind || isOver) break;
      else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
    yield* (await rest(await stored, offset)) as AsyncIterable<Buffer>;
  }
}
