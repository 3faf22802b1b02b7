import { PassThrough, type Readable } from 'node:stream';
import { fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl';

/** Bytes that can be read from anywhere. */
export interface RandomAccess {
  readonly size: number;
  /** The bytes from `start` to `end`, inclusive. */
  open(range: { start: number; end: number }): Promise<Readable>;
}

/** Opens a zip archive by its directory. This file is loaded with the first one. */
export async function openZip(source: RandomAccess): Promise<ZipFile> {
  return await fromRandomAccessReaderPromise(new StoredBytes(source), source.size, { autoClose: false });
}

class StoredBytes extends RandomAccessReader {
  readonly #source: RandomAccess;
  constructor(source: RandomAccess) {
    super();
    this.#source = source;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    const through = new PassThrough();
    if (end <= start) through.end();
    else {
      this.#source.open({ start, end: end - 1 }).then(
        (stream) => stream.on('error', (error) => through.destroy(error)).pipe(through),
        (error) => through.destroy(error),
      );
    }
    return through;
  }
}
