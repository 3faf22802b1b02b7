import { cachePerServer } from '../../caches/recently-used.ts';
import type { Context, Services } from '../../context.ts';
import type { PackageBlobRow } from '../../database/tables/packages.ts';
import { ownBytes } from '../../text/own-bytes.ts';
import { PackageError } from '../errors.ts';
import { openBlob, readStream } from './content.ts';

/** Size limit of a cached content, in bytes: responses of so many bytes are not counted, however slowly clients take them. */
const MAX_CONTENT = 1024 * 1024;
/** Size limit of all of them in a process, in bytes. */
const MAX_BYTES = 16 * 1024 * 1024;

/** Recently read contents: opening the file of one takes longer than everything else. */
const contentsIn = cachePerServer<Buffer>(MAX_BYTES);

/** Whether a content of this size is cached. */
export function isCacheable({ size }: { readonly size: number }): boolean {
  return size <= MAX_CONTENT;
}

/**
 * The bytes that are cached under a name, which stands for one content and no other. An entity tag of a compressed one stands for what was
 * compressed, which may have been done by another version of zlib: so the size has to be the expected one.
 */
export function cachedContent(services: Pick<Services, 'caches'>, name: string, size: number): Buffer | undefined {
  const cached = contentsIn(services).get(name);
  return cached?.length === size ? cached : undefined;
}

/** Caches bytes under a name, which stands for them and no others; too many are left out. */
export function cacheContent(services: Pick<Services, 'caches'>, name: string, bytes: Buffer): void {
  if (isCacheable({ size: bytes.length })) contentsIn(services).set(name, bytes, bytes.length);
}

/**
 * All bytes of a content, from the cache; undefined for one that is too large for it. Bytes are stored under a random key and never change
 * there; access has been checked before.
 * @param name what they are cached under, if they have another name beside their key
 * @throws PackageError 404 if they are missing
 */
export async function readCached(
  context: Pick<Context, 'storage' | 'caches'>,
  content: Pick<PackageBlobRow, 'blob' | 'size'>,
  name = content.blob,
): Promise<Buffer | undefined> {
  if (!isCacheable(content)) return undefined;
  const cached = cachedContent(context, name, content.size);
  if (cached) return cached;
  const bytes = ownBytes(await readStream(await openBlob(context, content)));
  if (bytes.length !== content.size) throw new PackageError('no-file');
  cacheContent(context, name, bytes);
  return bytes;
}
