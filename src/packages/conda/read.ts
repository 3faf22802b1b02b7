import { Readable } from 'node:stream';
import type { Context } from '../../context.ts';
import { findInBzip2Tar } from '../archives/bzip2-tar.ts';
import { findFiles } from '../archives/find-files.ts';
import { randomAccess, readZip } from '../archives/zip.ts';
import type { Content } from '../blobs/content.ts';
import { invalid } from '../errors.ts';
import { type CondaPackage, parseDocuments } from './metadata.ts';

/** Size limit of the part of a package that describes it, which is read into memory, in bytes. */
const MAX_INFO = 32 * 1024 * 1024;
const INDEX = 'info/index.json';
const ABOUT = 'info/about.json';
const WANTED = { paths: [INDEX, ABOUT] };

/**
 * Reads a package: a tar archive of bzip2, or a zip archive of tar archives of zstd.
 * @throws PackageError 400
 */
export async function readPackage(context: Context, blob: Content, isConda: boolean): Promise<CondaPackage> {
  const found = isConda ? await readConda(context, blob) : await findInBzip2Tar(context, blob, WANTED);
  const text = (path: string) => {
    const bytes = found.get(path);
    return bytes && Buffer.from(bytes).toString('utf8');
  };
  return parseDocuments({ index: text(INDEX), about: text(ABOUT) }, isConda);
}

async function readConda(context: Context, blob: Content): Promise<Map<string, Uint8Array>> {
  let info: Buffer | undefined;
  await readZip(
    randomAccess(context, blob),
    async ({ path, read }) => {
      if (!path.startsWith('info-') || !path.endsWith('.tar.zst')) return undefined;
      info = await read();
      return 'stop';
    },
    { maxEntryBytes: MAX_INFO },
  );
  if (!info) throw invalid('package structure is invalid');
  return await findFiles(Readable.from([info]), WANTED, 'zstd');
}
