import { type Context, inTransaction } from '../../context.ts';
import { prepared } from '../../database/prepared.ts';
import type { PackageBlobRow, PackageUploadRow } from '../../database/tables/packages.ts';
import { type Content, isWhole } from '../blobs/content.ts';
import { addContent, type ExpectedContent, findBlob, requireExpected, storeBlob } from '../blobs/store.ts';
import { PackageError } from '../errors.ts';
import { cancelUpload, contentOf, forgetParts, partsOf, readUpload, removeUpload } from './parts.ts';

/** Links a content to a file, as part of a transaction. */
export type KeepContent = (context: Context, blob: PackageBlobRow) => Promise<void>;

/** Somebody else has stored the same content meanwhile. */
class ContentStoredError extends Error {}

const removePart = prepared((db, id: string, blob: string) =>
  db.deleteFrom('package_upload_parts').where('upload_id', '=', id).where('blob', '=', blob),
);

/**
 * Makes one content of the parts, and completes the upload. A single part, as most clients send, becomes the content in place: it is neither
 * read nor copied.
 * @param keep links the content to a file, in the transaction that completes the upload
 * @throws PackageError `wrong-digest`: then the upload stays; `missing` if it has ended; and the error of `keep`: then it ends too
 */
export async function finishUpload(
  context: Context,
  upload: PackageUploadRow,
  expected: ExpectedContent,
  keep: KeepContent = async () => {},
): Promise<PackageBlobRow> {
  const [only, ...others] = await partsOf(context, upload);
  const content = only && others.length === 0 ? contentOf(only) : undefined;
  if (content) return await finishWithPart(context, upload, { content, expected, keep });
  const blob = await storeBlob(context, readUpload(context, upload), expected);
  await endUpload(context, upload, (context) => keep(context, blob));
  return blob;
}

/**
 * Ends an upload whose bytes are stored elsewhere, in one transaction with `keep`. If that refuses them, it ends nevertheless.
 * @param keep gets whether the upload existed until now
 */
export async function endUpload<R>(
  context: Context,
  upload: PackageUploadRow,
  keep: (context: Context, wasOpen: boolean) => Promise<R>,
): Promise<R> {
  let kept: R;
  try {
    kept = await inTransaction(context, async (context) => {
      // The first lock: a concurrent cancellation or completion waits for it before it reads the parts.
      const [removed] = await removeUpload(context.db, upload.id);
      return await keep(context, removed !== undefined);
    });
  } catch (error) {
    if (error instanceof PackageError) await cancelUpload(context, upload);
    throw error;
  }
  await forgetParts(context, upload);
  return kept;
}

interface Finishing {
  readonly content: Content;
  readonly expected: ExpectedContent;
  readonly keep: KeepContent;
}

async function finishWithPart(context: Context, upload: PackageUploadRow, given: Finishing): Promise<PackageBlobRow> {
  const { content, expected, keep } = given;
  requireExpected(content, expected);
  if (!(await isWhole(context, content))) throw new Error('a part of an upload is lost');
  const known = await findBlob(context.db, content.sha256, content);
  if (known && (await isWhole(context, known))) {
    await endUpload(context, upload, (context) => keep(context, known));
    return known;
  }
  try {
    return await endUpload(context, upload, async (context, wasOpen) => {
      if (!wasOpen) throw new PackageError('missing');
      const blob = await addContent(context.db, content, known);
      if (!blob) throw new ContentStoredError('the content has been stored meanwhile');
      await removePart(context.db, upload.id, content.blob);
      await keep(context, blob);
      return blob;
    });
  } catch (error) {
    if (!(error instanceof ContentStoredError)) throw error;
    return await finishWithPart(context, upload, given);
  }
}
