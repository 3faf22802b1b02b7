import { avatarKey } from '../../accounts/avatars/avatars.ts';
import { attachmentKey } from '../../issues/attachments/store.ts';
import { lfsKey } from '../../lfs/objects/stored.ts';
import { blobKey } from '../../packages/blobs/content.ts';
import { uploadPartKey } from '../../packages/uploads/parts.ts';
import { avatarKey as repositoryAvatarKey } from '../../repositories/avatar/avatar.ts';
import type { FileIndex } from '../file-index.ts';
import type { Value } from '../rows/shape.ts';

/** Reads a column of a row. */
type ReadColumn = (column: string) => Value;

/** The key of the blob that a row of a table has, if it has one. */
export const BLOB_OF_ROW: Readonly<Record<string, (read: ReadColumn) => string | undefined>> = {
  attachments: (read) => attachmentKey(String(read('uuid'))),
  users: (read) => (read('avatar') ? avatarKey(String(read('avatar'))) : undefined),
  repositories: (read) => (read('avatar') ? repositoryAvatarKey(String(read('avatar'))) : undefined),
  lfs_objects: (read) => lfsKey({ oid: String(read('oid')), blob: String(read('blob')) }),
  package_blobs: (read) => blobKey({ blob: String(read('blob')) }),
  package_upload_parts: (read) => uploadPartKey({ blob: String(read('blob')) }),
  action_tasks: (read) => (read('log_in_storage') && read('log_key') ? String(read('log_key')) : undefined),
  action_artifacts: (read) => (read('storage_key') ? String(read('storage_key')) : undefined),
};

/** Columns with the location of a repository, its object format and its HEAD. */
const REPOSITORY_COLUMNS = ['id', 'object_format', 'default_branch', 'default_wiki_branch', 'state', 'volume'] as const;

/** Records what a row refers to outside the database: blobs, repositories, heads of pull requests. */
export function noteRow(index: FileIndex, table: string, read: ReadColumn): void {
  const key = BLOB_OF_ROW[table]?.(read);
  if (key !== undefined) index.addBlob(key);
  if (table === 'pull_requests') index.addPull(Number(read('repository_id')), Number(read('number')), String(read('head_id')));
  if (table !== 'repositories') return;
  const columns = Object.fromEntries(REPOSITORY_COLUMNS.map((column) => [column, read(column)]));
  index.addRepository({ ...columns, id: Number(read('id')) });
}
