import type { Readable } from 'node:stream';
import { PassThrough } from 'node:stream';
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader } from 'yauzl';
import type { Context } from '../../context.ts';
import type { PackageBlobRow } from '../../database/tables/packages.ts';
import { openBlob } from '../blobs/store.ts';
import { invalid } from '../errors.ts';
import { ArchiveBudget, type ArchiveLimits } from './limits.ts';
import { asInvalid, type EntryVisitor, readAll } from './tar.ts';

/** Bytes that can be read from anywhere. */
export interface RandomAccess {
  readonly size: number;
  /** The bytes from `start` to `end`, inclusive. */
  open(range: { start: number; end: number }): Promise<Readable>;
}

/** A stored content for readers of archives. */
export function randomAccess(context: Pick<Context, 'storage'>, blob: PackageBlobRow): RandomAccess {
  return { size: blob.size, open: (range) => openBlob(context, blob, range) };
}

/**
 * Reads a zip archive entry by entry, in the order of its directory.
 * @throws PackageError 400 for what is no such archive, and beyond the bounds
 */
export async function readZip(source: RandomAccess, visit: EntryVisitor, limits: Partial<ArchiveLimits> = {}): Promise<void> {
  const budget = new ArchiveBudget(limits);
  if (source.size === 0) throw invalid('the archive cannot be read: it is empty');
  try {
    const archive = await fromRandomAccessReaderPromise(new StoredBytes(source), source.size, { autoClose: false });
    if (archive.entryCount > budget.limits.maxEntries) throw invalid(`the archive has more than ${budget.limits.maxEntries} entries`);
    for await (const entry of archive.eachEntry()) {
      budget.countEntry();
      budget.countRead(entry.compressedSize);
      budget.countWritten(entry.uncompressedSize);
      const { fileName: path, uncompressedSize: size } = entry as Entry;
      const read = async () => {
        if (size > budget.limits.maxEntryBytes) throw invalid(`an entry of the archive has more than ${budget.limits.maxEntryBytes} bytes`);
        return await readAll(await archive.openReadStreamPromise(entry), size, budget.limits);
      };
      const open = () => archive.openReadStreamPromise(entry);
      if ((await visit({ path, isFile: !path.endsWith('/'), size, read, open })) === 'stop') return;
    }
  } catch (error) {
    throw asInvalid(error);
  }
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
