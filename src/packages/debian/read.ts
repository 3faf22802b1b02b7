import type { Context } from '../../context.ts';
import { readAr } from '../archives/ar.ts';
import type { Compression } from '../archives/decompress.ts';
import { readTar } from '../archives/tar.ts';
import { randomAccess } from '../archives/zip.ts';
import type { Content } from '../blobs/content.ts';
import { invalid } from '../errors.ts';
import { type ControlFile, MAX_CONTROL, parseControl } from './control.ts';

const COMPRESSIONS: Readonly<Record<string, Compression>> = {
  'control.tar': 'none',
  'control.tar.gz': 'gzip',
  'control.tar.xz': 'xz',
  'control.tar.zst': 'zstd',
};
/** A package has three. */
const MAX_MEMBERS = 100;

/**
 * Reads the control file of a package (https://man7.org/linux/man-pages/man5/deb.5.html).
 * @throws PackageError 400
 */
export async function readControl(context: Context, blob: Content): Promise<ControlFile> {
  for await (const { name, open } of readAr(randomAccess(context, blob), MAX_MEMBERS)) {
    if (!name.startsWith('control.tar')) continue;
    const compression = COMPRESSIONS[name];
    if (!compression) throw invalid('unsupported compression algorithm');
    let text: string | undefined;
    await readTar(
      await open(),
      async ({ path, isFile, read }) => {
        if (!isFile || !/(?:^|\/)control$/.test(path)) return undefined;
        text = (await read()).toString('utf8');
        return 'stop';
      },
      { compression, maxEntryBytes: MAX_CONTROL },
    );
    if (text !== undefined) return parseControl(text);
  }
  throw invalid('control file is missing');
}
