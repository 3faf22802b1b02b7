/** How long buffers wait for the next file at most, in milliseconds. */
const KEPT_MS = 30_000;
/** How many wait at a time. */
const MAX_FREE = 4;

/**
 * Buffers of one size that are used again: the pages of a new one would take as long as half of its copying. An idle server keeps none of
 * them.
 */
export class FreeBuffers {
  readonly #bytes: number;
  readonly #free: Buffer[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** @param bytes of each */
  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  /** One whose bytes are anything. */
  take(): Buffer {
    return this.#free.pop() ?? Buffer.allocUnsafeSlow(this.#bytes);
  }

  /** Takes one back that nobody uses any more. */
  giveBack(buffer: Buffer): void {
    if (this.#free.length >= MAX_FREE) return;
    this.#free.push(buffer);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#free.length = 0;
    }, KEPT_MS).unref();
  }
}
