import { Transform } from 'node:stream';
import { invalid } from '../errors.ts';

const BLOCK = 512;
/** Size limit of a header for the next entry, such as for a long name, in bytes: the library holds it in memory. */
const MAX_LONG_HEADER = 1024 * 1024;
/** Types of such headers: of pax, global ones of pax, and long names and links of GNU tar. */
const LONG_HEADERS = 'xgLK';

/** Passes a tar archive through, and fails before a header that is too large for memory. */
export class TarGuard extends Transform {
  #header = Buffer.alloc(0);
  /** Bytes of the content, with its padding, before the next header. */
  #skip = 0;

  /**
   * Checks an archive that is in memory.
   * @throws PackageError 400
   */
  static check(archive: Buffer): void {
    new TarGuard().#look(archive);
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: (error: Error | null, chunk?: Buffer) => void): void {
    try {
      this.#look(chunk);
      done(null, chunk);
    } catch (error) {
      done(error as Error);
    }
  }

  #look(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; ) {
      if (this.#skip > 0) {
        const step = Math.min(this.#skip, chunk.length - at);
        this.#skip -= step;
        at += step;
        continue;
      }
      const step = Math.min(BLOCK - this.#header.length, chunk.length - at);
      this.#header = Buffer.concat([this.#header, chunk.subarray(at, at + step)]);
      at += step;
      if (this.#header.length < BLOCK) return;
      this.#check(this.#header);
      this.#header = Buffer.alloc(0);
    }
  }

  #check(header: Buffer): void {
    if (header[0] === 0) return;
    const size = sizeOf(header.subarray(124, 136));
    if (!Number.isSafeInteger(size) || size < 0) throw invalid('the archive has an entry without a size');
    if (LONG_HEADERS.includes(String.fromCharCode(header[156] ?? 0)) && size > MAX_LONG_HEADER) {
      throw invalid(`the archive has a header of more than ${MAX_LONG_HEADER} bytes`);
    }
    this.#skip = Math.ceil(size / BLOCK) * BLOCK;
  }
}

/** A number in tar's format: octal digits, or bytes after a first one with its highest bit. */
function sizeOf(field: Buffer): number {
  if ((field[0] ?? 0) & 0x80) return [...field.subarray(1)].reduce((sum, byte) => sum * 256 + byte, 0);
  const digits = field.toString('latin1').replace(/\0.*$/s, '').trim();
  return digits === '' ? 0 : /^[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : Number.NaN;
}
