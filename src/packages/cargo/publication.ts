import { Readable } from 'node:stream';
import type { Content } from '../blobs/content.ts';
import { invalid } from '../errors.ts';
import { parseJson } from '../protocol/parse-json.ts';

/** Size limit of the metadata in bytes. */
const MAX_METADATA = 2 * 1024 * 1024;

/**
 * Reads the body of `cargo publish`: the metadata as JSON and the crate, each after its length as a 32-bit little-endian number.
 * @throws PackageError 400, and the errors of `store`
 */
export async function readPublication(
  body: Readable | Buffer,
  store: (content: Readable | Buffer) => Promise<Content>,
): Promise<{ document: unknown; crate: Content }> {
  const reader = Buffer.isBuffer(body) ? new BytesReader(body) : new StreamReader(body);
  const length = (await reader.take(4)).readUInt32LE();
  if (length > MAX_METADATA) throw invalid(`the metadata has more than ${MAX_METADATA} bytes`);
  const document = parseJson('the metadata', await reader.take(length));
  const size = (await reader.take(4)).readUInt32LE();
  const crate = await store(reader.content(size));
  if (crate.size !== size) throw invalid('invalid content size');
  return { document, crate };
}

const TOO_EARLY = 'the publication ends too early';

/** Reads bytes by lengths. */
class BytesReader {
  #rest: Buffer;

  constructor(bytes: Buffer) {
    this.#rest = bytes;
  }

  /** @throws PackageError 400 for bytes that end before */
  async take(length: number): Promise<Buffer> {
    const taken = this.content(length);
    if (taken.length < length) throw invalid(TOO_EARLY);
    return taken;
  }

  /** As many bytes, or fewer if they end before. */
  content(length: number): Buffer {
    const taken = this.#rest.subarray(0, length);
    this.#rest = this.#rest.subarray(length);
    return taken;
  }
}

/** Reads a stream by lengths. */
class StreamReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(stream: Readable) {
    this.#chunks = (stream as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  }

  /** @throws PackageError 400 for a stream that ends before */
  async take(length: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    let size = 0;
    for await (const part of this.#upTo(length)) {
      parts.push(part);
      size += part.length;
    }
    if (size < length) throw invalid(TOO_EARLY);
    return Buffer.concat(parts);
  }

  /** As many bytes, or fewer if the stream ends before. */
  content(length: number): Readable {
    return Readable.from(this.#upTo(length), { objectMode: false });
  }

  async *#upTo(length: number): AsyncGenerator<Buffer> {
    for (let left = length; left > 0; ) {
      if (this.#rest.length === 0) {
        const next = await this.#chunks.next();
        if (next.done) return;
        this.#rest = next.value;
      }
      const part = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(part.length);
      left -= part.length;
      yield part;
    }
  }
}
