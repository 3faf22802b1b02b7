import type { Context } from '../../context.ts';
import { prepared } from '../../database/prepared.ts';
import type { PackageBlobRow } from '../../database/tables/packages.ts';
import { withMutex } from '../../git/mutex.ts';
import { StorageUnavailableError } from '../../storage/storage.ts';
import { readBlob } from '../blobs/content.ts';
import { digestsOf } from '../blobs/digests.ts';
import { hasAllDigests, SMALL_BYTES } from '../blobs/store.ts';
import { PackageError } from '../errors.ts';
import type { FoundFile } from './find.ts';

const byId = prepared((db, id: number) => db.selectFrom('package_blobs').selectAll().where('id', '=', id));
/** Unsynced: they can be computed again. */
const setDigests = prepared(
  (db, id: number, md5: string, sha1: string, sha512: string) =>
    db.updateTable('package_blobs').set({ md5, sha1, sha512 }).where('id', '=', id),
  { isUnsynced: true },
);

/** Files with all digests: those that their formats do not show are computed here, and stored. */
export async function completeDigests(context: Context, files: readonly FoundFile[]): Promise<FoundFile[]> {
  const complete: FoundFile[] = [];
  for (const { file, blob } of files)
    complete.push({ file, blob: hasAllDigests(blob) ? blob : ((await completed(context, blob.id)) ?? blob) });
  return complete;
}

/** Undefined where the bytes cannot be read: then what is known of them is shown. */
async function completed(context: Context, id: number): Promise<PackageBlobRow | undefined> {
  const { db } = context.database;
  // Of many callers at once, one computes them.
  return await withMutex(`package digests ${id}`, async () => {
    const [blob] = await byId(db, id);
    if (!blob || hasAllDigests(blob)) return blob;
    try {
      const digests = digestsOf(await readBlob(context, blob, SMALL_BYTES));
      await setDigests(db, id, digests.md5, digests.sha1, digests.sha512);
      return { ...blob, ...digests };
    } catch (error) {
      if (error instanceof PackageError || error instanceof StorageUnavailableError) return undefined;
      throw error;
    }
  });
}
