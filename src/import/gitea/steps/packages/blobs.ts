import type { PackageBlobRow } from '../../../../database/tables/packages.ts';
import { isWhole } from '../../../../packages/blobs/content.ts';
import { findBlob, hasAllDigests, storeBlob } from '../../../../packages/blobs/store.ts';
import { PackageError } from '../../../../packages/errors.ts';
import type { Batch } from '../../batch.ts';
import { openInside } from '../../files.ts';
import type { Row } from '../../source/row.ts';

/**
 * Stores the bytes of a package file, once for all files with the same bytes.
 * @param row of the source's file
 * @param blob of the source's content; undefined if there is none
 * @returns undefined, with a note, if the bytes are missing or differ from Gitea's record
 */
export async function importBlob(row: Row, blob: Row | undefined, batch: Batch): Promise<PackageBlobRow | undefined> {
  const { settings, context, isDryRun } = batch.run;
  const sha256 = blob?.text('hash_sha256') ?? '';
  const subject = `file ${row.id} (${row.line('name', 100)}) of a package`;
  const isDigest = /^[0-9a-f]{64}$/.test(sha256);
  const known = isDigest ? await findBlob(context.db, sha256) : undefined;
  if (known && hasAllDigests(known) && (await isWhole(context, known))) return known;
  const file = isDigest ? await openInside(settings.storages.packages, sha256.slice(0, 2), sha256.slice(2, 4), sha256) : undefined;
  if (!file) batch.note(subject, 'it is missing: it is left out');
  if (isDryRun) file?.stream.destroy();
  if (!file || isDryRun) return undefined;
  try {
    return await storeBlob(context, file.stream, { sha256 });
  } catch (error) {
    if (!(error instanceof PackageError)) throw error;
    batch.note(subject, 'it is another than Gitea says: it is left out');
    return undefined;
  }
}
