import { createHash } from 'node:crypto';
import type { Repository } from '../access/find-repository.ts';
import type { LargeFile } from '../code/provided.ts';
import type { Context } from '../context.ts';
import type { LfsPointer } from '../git/trees/lfs-pointer.ts';
import { unprocessable } from '../http/errors.ts';
import { findLinked, linkObjects } from './objects/links.ts';
import { isWhole, lfsKey, storeObject } from './objects/stored.ts';

/** Finds the large file of a pointer, if the repository has it and its bytes exist. */
export async function findLargeFile(context: Context, { id }: Repository, { oid, size }: LfsPointer): Promise<LargeFile | undefined> {
  if (!context.settings.lfs.enabled) return undefined;
  const object = (await findLinked(context.db, id, [oid])).get(oid);
  if (object?.size !== size || !(await isWhole(context, object))) return undefined;
  return { size, open: async (range) => (await context.storage.get(lfsKey(object), range))?.stream ?? Buffer.alloc(0) };
}

/**
 * Stores bytes as a large file of a repository.
 * @throws HttpError 422 for one that is larger than `lfs.maxFileSize`
 */
export async function storeLargeFile(context: Context, repository: Repository, content: Uint8Array): Promise<LfsPointer> {
  const { maxFileSize } = context.settings.lfs;
  if (maxFileSize >= 0 && content.length > maxFileSize) throw unprocessable(`a large file has at most ${maxFileSize} bytes`);
  const pointer = { oid: createHash('sha256').update(content).digest('hex'), size: content.length };
  const { id } = await storeObject(context, pointer, content);
  await linkObjects(context, repository.id, [id]);
  return pointer;
}
