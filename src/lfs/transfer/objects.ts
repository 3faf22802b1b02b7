import type { Readable } from 'node:stream';
import { callerKey } from '../../context.ts';
import type { LfsObjectRow } from '../../database/tables/lfs.ts';
import type { LfsPointer } from '../../git/trees/lfs-pointer.ts';
import { BlobMismatchError } from '../../storage/storage.ts';
import { LfsError } from '../errors.ts';
import { findLinked, linkObjects } from '../objects/links.ts';
import { isWhole, storeObject } from '../objects/stored.ts';
import { type LfsTarget, recheckWrite } from '../target.ts';

/**
 * Receives and verifies the bytes of an object, and links it to a repository. Wrong bytes are not stored.
 * @throws LfsError 422 for bytes that are not those of the object, and for one that is too large; BusyError; the error of `content`
 */
export async function takeObject(target: LfsTarget, pointer: LfsPointer, content: Readable, signal?: AbortSignal): Promise<void> {
  const { context, repository } = target;
  const { maxFileSize } = context.settings.lfs;
  if (maxFileSize >= 0 && pointer.size > maxFileSize) throw new LfsError(422, `Size must be less than or equal to ${maxFileSize}`);
  const store = () => storeObject(context, pointer, content);
  const { id } = await context.semaphores.uploads.run(callerKey(context), store, signal && { signal }).catch(inLfsWords);
  // Permissions may have changed during a long upload.
  await recheckWrite(target);
  const linked = await linkObjects(context, repository.id, [id]);
  if (!linked.has(id)) throw new LfsError(503, undefined, { 'retry-after': '1' });
}

/**
 * Finds an object of a repository.
 * @throws LfsError 404, also when its bytes are lost
 */
export async function findObject({ context, repository }: LfsTarget, oid: string): Promise<LfsObjectRow> {
  const object = (await findLinked(context.db, repository.id, [oid])).get(oid);
  if (!object || !(await isWhole(context, object))) throw new LfsError(404);
  return object;
}

function inLfsWords(error: unknown): never {
  if (!(error instanceof BlobMismatchError)) throw error;
  throw new LfsError(422, error.part === 'size' ? 'content size does not match' : 'content hash does not match OID');
}
