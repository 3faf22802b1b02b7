import { cachePerServer } from '../../caches/recently-used.ts';
import type { HttpResponse } from '../../http/responses.ts';
import { randomAccess, readZip } from '../archives/zip.ts';
import { PackageError } from '../errors.ts';
import type { PackageCall } from '../protocol/format.ts';
import { readArchive } from '../protocol/read-archive.ts';
import { serveSmall } from '../protocol/serve.ts';
import type { FoundFile } from '../registry/find.ts';

/** What follows the name of a wheel in that of its metadata (PEP 658). */
const SUFFIX = '.metadata';
/** Where a wheel has them. */
const METADATA = /^[^/]+\.dist-info\/METADATA$/;
/** Size limit of the metadata of a wheel in bytes: most of it is the readme. */
const MAX_METADATA = 1024 * 1024;
/** Size limit of the metadata that a process keeps: a resolver reads those of one version again and again. */
const MAX_CACHED = 2 * 1024 * 1024;

const cacheIn = cachePerServer<Buffer>(MAX_CACHED);

/** Whether a file of a project has metadata of its own: those of a wheel are in it, others would have to be built. */
export function hasCoreMetadata(fileName: string): boolean {
  return fileName.toLowerCase().endsWith('.whl');
}

/** The wheel whose metadata has this name; undefined for names of files. */
export function wheelOf(name: string): string | undefined {
  const wheel = name.endsWith(SUFFIX) ? name.slice(0, -SUFFIX.length) : '';
  return hasCoreMetadata(wheel) ? wheel : undefined;
}

/**
 * Serves the metadata of a wheel, so that clients find its dependencies without the wheel.
 * @throws PackageError 404 for a wheel without any, or one that cannot be read
 */
export async function serveCoreMetadata(call: PackageCall, { file, blob }: FoundFile): Promise<HttpResponse> {
  const cache = cacheIn(call.context);
  const known = cache.get(blob.sha256);
  const metadata = known ?? (await readArchive(call, () => readMetadata(call, blob)));
  if (!known) cache.set(blob.sha256, metadata, metadata.length);
  return await serveSmall(call, metadata, { type: 'text/plain; charset=utf-8', modified: file.created_at });
}

async function readMetadata({ context }: PackageCall, blob: FoundFile['blob']): Promise<Buffer> {
  let found: Buffer | undefined;
  try {
    await readZip(randomAccess(context, blob), async ({ path, size, read }) => {
      if (!METADATA.test(path)) return undefined;
      if (size <= MAX_METADATA) found = await read();
      return 'stop';
    });
  } catch (error) {
    if (!(error instanceof PackageError)) throw error;
  }
  if (!found) throw new PackageError('no-file');
  return found;
}
