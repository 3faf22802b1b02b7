import type { Context } from '../../../context.ts';
import { FormFields } from '../../../http/fields.ts';
import { receiveFiles } from '../../../http/upload.ts';
import { attachmentKey, type StoredFile, storeFile } from '../../../issues/attachments/store.ts';
import type { RepositoryVisit } from '../../resource-pages.ts';

/** What the form of a release has sent. */
export interface ReceivedRelease {
  readonly fields: FormFields;
  /** Stored already; they belong to nothing yet. Who gives them to a release takes them off. */
  readonly files: StoredFile[];
}

/** Files that one form adds to a release. */
export function maxFiles({ settings }: Context): number {
  return Math.min(settings.attachments.maxFiles, settings.limits.uploadsPerRequest);
}

/** Reads the form of a release. @throws HttpError 413, 422; then no file is kept */
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
    // A field without a file comes as one without a name.
    async (file) => (file.name === '' ? void file.content.resume() : storeFile(context, file, { allowedTypes, maxSize })),
    async (file) => discard(context, file ? [file] : []),
  );
  return { fields: new FormFields(entries), files: files.filter((file) => file !== undefined) };
}

/** Gets rid of stored files that belong to nothing. */
export async function discard({ storage }: Context, files: readonly StoredFile[]): Promise<void> {
  for (const { uuid } of files) await storage.delete(attachmentKey(uuid));
}
