import type { Entry } from 'yauzl';
import type { Context } from '../../context.ts';
import { type Content, openBlob } from '../blobs/content.ts';
import { invalid } from '../errors.ts';
import { ArchiveBudget, type ArchiveLimits } from './limits.ts';
import type { RandomAccess } from './open-zip.ts';
import { asInvalid, type EntryVisitor, readAll } from './tar.ts';

export type { RandomAccess } from './open-zip.ts';

/** Loaded on first use. */
let library: typeof import('./open-zip.ts') | undefined;

/** A stored content for readers of archives. */
export function randomAccess(context: Pick<Context, 'storage'>, blob: Content): RandomAccess {
  return { size: blob.size, bytes: blob.bytes, open: (range) => openBlob(context, blob, range) };
}

/**
 * Reads a zip archive entry by entry, in the order of its directory.
 * @throws PackageError 400 for an invalid archive, and beyond the limits
 */
export async function readZip(source: RandomAccess, visit: EntryVisitor, limits: Partial<ArchiveLimits> = {}): Promise<void> {
  const budget = new ArchiveBudget(limits);
  if (source.size === 0) throw invalid('the archive cannot be read: it is empty');
  try {
    library ??= await import('./open-zip.ts');
    const { openZip, readSmallEntry } = library;
    const archive = await openZip(source);
    if (archive.entryCount > budget.limits.maxEntries) throw invalid(`the archive has more than ${budget.limits.maxEntries} entries`);
    for await (const entry of archive.eachEntry()) {
      budget.countEntry();
      budget.countRead(entry.compressedSize);
      budget.countWritten(entry.uncompressedSize);
      const { fileName: path, uncompressedSize: size } = entry as Entry;
      const read = async () => {
        if (size > budget.limits.maxEntryBytes) throw invalid(`an entry of the archive has more than ${budget.limits.maxEntryBytes} bytes`);
        const small = source.bytes && readSmallEntry(source.bytes, entry as Entry);
        return small ?? (await readAll(await archive.openReadStreamPromise(entry), size, budget.limits));
      };
      const open = () => archive.openReadStreamPromise(entry);
      if ((await visit({ path, isFile: !path.endsWith('/'), size, read, open })) === 'stop') return;
    }
  } catch (error) {
    throw asInvalid(error);
  }
}
