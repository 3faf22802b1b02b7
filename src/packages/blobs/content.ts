import { once } from 'node:events';
import type { Readable } from 'node:stream';
import type { Context } from '../../context.ts';
import type { PackageBlobRow } from '../../database/tables/packages.ts';
import { PackageError } from '../errors.ts';
import { streamOf } from './bytes-stream.ts';

/** The prefix of the storage keys of all packages. */
export const PACKAGES_PREFIX = 'packages/';

/** A stored content, mostly the row of one. */
export type Content = Omit<PackageBlobRow, 'id' | 'touched_at'> & {
  /** The bytes of a small content that this request has stored: its readers need not open the file again. */
  readonly bytes?: Buffer;
};

/** The storage key of a content. */
export function blobKey({ blob }: Pick<PackageBlobRow, 'blob'>): string {
  return `${PACKAGES_PREFIX}${blob.slice(0, 2)}/${blob}`;
}

/** Whether the bytes of a content exist. */
export async function isWhole({ storage }: Pick<Context, 'storage'>, blob: Pick<PackageBlobRow, 'blob' | 'size'>): Promise<boolean> {
  return (await storage.info(blobKey(blob)))?.size === blob.size;
}

/**
 * The bytes of a content, or those of the range.
 * @throws PackageError 404 if they are lost, or not all there
 */
export async function openBlob(
  { storage }: Pick<Context, 'storage'>,
  blob: Pick<Content, 'blob' | 'size' | 'bytes'>,
  range?: { start: number; end: number },
): Promise<Readable> {
  const { bytes } = blob;
  if (bytes) return streamOf(range ? bytes.subarray(range.start, range.end + 1) : bytes);
  const found = await storage.get(blobKey(blob), range);
  if (found?.size === blob.size) return found.stream;
  found?.stream.destroy();
  throw new PackageError('no-file');
}

/** The bytes of a content for a reader of archives, which reads those in memory without streams. */
export async function openArchive(context: Pick<Context, 'storage'>, blob: Content): Promise<Readable | Buffer> {
  return blob.bytes ?? (await openBlob(context, blob));
}

/**
 * All bytes of a small content.
 * @throws PackageError 400 if it has more than `maxSize` bytes, 404 if they are lost
 */
export async function readBlob(context: Pick<Context, 'storage'>, blob: Content, maxSize: number): Promise<Buffer> {
  if (blob.size > maxSize) throw new PackageError('invalid', { message: `the file has more than ${maxSize} bytes` });
  return blob.bytes ?? (await readStream(await openBlob(context, blob)));
}

/** The first six bytes of a content, which identify its format; fewer for a shorter one. */
export async function readHead(context: Pick<Context, 'storage'>, blob: Content): Promise<Buffer> {
  if (blob.size === 0) return Buffer.alloc(0);
  if (blob.bytes) return blob.bytes.subarray(0, 6);
  return await readStream(await openBlob(context, blob, { start: 0, end: Math.min(blob.size, 6) - 1 }));
}

/** All bytes of a small stream. */
export async function readStream(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(stream, 'end');
  return Buffer.concat(chunks);
}
