import type { Context } from '../../../context.ts';
import { FormFields } from '../../../http/bodies/fields.ts';
import { receiveFiles } from '../../../http/bodies/upload.ts';
import { attachmentKey, type StoredFile, storeFile } from '../../../issues/attachments/store.ts';
import type { RepositoryVisit } from '../../resource-pages.ts';

/** The values of a sent release form. */
export interface ReceivedRelease {
  readonly fields: FormFields;
  /** Stored files that belong to no release yet. Remove a file from this list when it is added to a release. */
  readonly files: StoredFile[];
}

/** Maximum number of files that one form adds to a release. */
export function maxFiles({ settings }: Context): number {
  return Math.min(settings.attachments.maxFiles, settings.limits.uploadsPerRequest);
}

/** Parses the form of a release. @throws HttpError 413, 422; then no file is stored */
export async function receiveRelease({ request }: RepositoryVisit, context: Context): Promise<ReceivedRelease> {
  const { settings } = context;
  const { allowedTypes, maxSize } = settings.releases;
  const entries: [string, string][] = [];
  const wanted = {
    field: 'files',
    maxSize,
    maxFiles: settings.attachments.enabled ? maxFiles(context) : 0,
    onField: (...entry: [string, string]) => void entries.push(entry),
  };
  const files = await receiveFiles(
    request.raw,
    context,
    wanted,
    // An empty file field is sent as a file without a name.
    async (file) => (file.name === '' ? void file.content.resume() : storeFile(context, file, { allowedTypes, maxSize })),
    async (file) => discard(context, file ? [file] : []),
  );
  return { fields: new FormFields(entries), files: files.filter((file) => file !== undefined) };
}

/** Deletes stored files that belong to no release. */
export async function discard({ storage }: Context, files: readonly StoredFile[]): Promise<void> {
  for (const { uuid } of files) await storage.delete(attachmentKey(uuid));
}
