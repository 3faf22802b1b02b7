import type { Context } from '../../context.ts';
import type { PackageBlobRow } from '../../database/tables/packages.ts';
import { readBlob } from '../blobs/content.ts';
import { digestsOf } from '../blobs/digests.ts';
import { findBlob, hasAllDigests, SMALL_BYTES } from '../blobs/store.ts';
import { PackageError } from '../errors.ts';
import type { FoundFile } from './find.ts';

/** Files with all digests: those that their formats do not show are computed here, and stored. */
export async function completeDigests(context: Context, files: readonly FoundFile[]): Promise<FoundFile[]> {
  const complete: FoundFile[] = [];
  for (const { file, blob } of files) complete.push({ file, blob: hasAllDigests(blob) ? blob : await completed(context, blob) });
  return complete;
}

async function completed(context: Context, blob: PackageBlobRow): Promise<PackageBlobRow> {
  try {
    const digests = digestsOf(await readBlob(context, blob, SMALL_BYTES));
    return (await findBlob(context.database.db, blob.sha256, digests)) ?? { ...blob, ...digests };
  } catch (error) {
    // The bytes are lost: what is known of them is shown.
    if (error instanceof PackageError) return blob;
    throw error;
  }
}
