import type { Context } from '../../context.ts';
import { HttpError } from '../../http/errors.ts';
import { cleanName } from '../../issues/attachments/allowed.ts';
import { attachmentKey, type StoredFile, storeFile } from '../../issues/attachments/store.ts';
import { BlobTooLargeError } from '../../storage/storage.ts';
import { SourceError } from '../source/errors.ts';
import type { SourceAsset } from '../source/source.ts';
import type { Target } from './run.ts';

/** A stored file without a row yet. */
export interface NewFile extends StoredFile {
  readonly download_count: number;
  readonly created_at: number;
}

/** Files of one release, issue or comment. */
const MAX_FILES = 1000;

/**
 * Stores the files of a release, an issue or a comment. If one fails, all are deleted.
 * @param createdAt their time if the source has none
 * @throws SourceError for a file that is too large, and for too many
 */
export async function storeAssets(target: Target, assets: readonly SourceAsset[], createdAt: number): Promise<NewFile[]> {
  if (assets.length > MAX_FILES) throw new SourceError('content', `the server names more than ${MAX_FILES} files in one place`);
  const files: NewFile[] = [];
  try {
    for (const asset of assets) {
      const stored = await store(target, asset);
      files.push({ ...stored, download_count: asset.downloadCount, created_at: asset.createdAt ?? createdAt });
    }
    return files;
  } catch (error) {
    await discardFiles(target.context, files);
    throw error;
  }
}

/** Deletes the bytes of files whose rows were not written. */
export async function discardFiles({ storage }: Pick<Context, 'storage'>, files: readonly StoredFile[]): Promise<void> {
  for (const { uuid } of files) await storage.delete(attachmentKey(uuid));
}

async function store({ context, files, signal }: Target, asset: SourceAsset): Promise<StoredFile> {
  signal.throwIfAborted();
  const { maxAssetSize } = context.settings.migrations;
  const maxSize = Math.min(maxAssetSize < 0 ? Number.MAX_SAFE_INTEGER : maxAssetSize, files.left);
  const name = usableName(asset.name);
  const content = await asset.open();
  try {
    const stored = await storeFile(context, { name, content }, { allowedTypes: [], maxSize });
    files.left -= stored.size;
    return stored;
  } catch (error) {
    content.on('error', () => {}).destroy();
    if (error instanceof BlobTooLargeError) throw new SourceError('content', `the file ${name} has more than ${maxSize} bytes`);
    if (error instanceof Error && !(error instanceof HttpError) && content.errored)
      throw new SourceError('other', `the file ${name} could not be fetched`);
    throw error;
  }
}

/** The last part of the name, as for files that users upload. */
function usableName(name: string): string {
  try {
    return cleanName(name);
  } catch (error) {
    if (error instanceof HttpError) return 'file';
    throw error;
  }
}
