import type { Readable } from 'node:stream';
import type { Compression } from '../archives/decompress.ts';
import { readTar } from '../archives/tar.ts';
import type { CondaDocuments } from './metadata.ts';

/** The entries that are read, by their paths. */
const ENTRIES: Readonly<Record<string, keyof CondaDocuments>> = { 'info/index.json': 'index', 'info/about.json': 'about' };

/**
 * Reads a tar archive up to the second of its two documents.
 * @throws PackageError 400
 */
export async function readDocuments(archive: Readable, compression: Compression): Promise<CondaDocuments> {
  const found: { -readonly [name in keyof CondaDocuments]: string } = {};
  await readTar(
    archive,
    async ({ path, isFile, read }) => {
      const name = isFile ? ENTRIES[path] : undefined;
      if (name) found[name] = (await read()).toString('utf8');
      return found.index !== undefined && found.about !== undefined ? 'stop' : undefined;
    },
    { compression },
  );
  return found;
}
