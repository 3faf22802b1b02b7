import { type Context, inTransaction } from '../../context.ts';
import { attachmentKey } from './store.ts';

/** What to delete: one file, or all files of a comment, an issue or a release. */
export type RemovedAttachments = { id: number } | { comment_id: number } | { issue_id: number } | { release_id: number };

/** Deletes files. A job deletes their bytes, so that a crash only delays it. */
export async function removeAttachments(context: Context, which: RemovedAttachments): Promise<void> {
  const [column, value] = Object.entries(which)[0] as ['id' | 'comment_id' | 'issue_id' | 'release_id', number];
  await inTransaction(context, async (context) => {
    const rows = await context.db.deleteFrom('attachments').where(column, '=', value).returning('uuid').execute();
    if (rows.length > 0) await context.jobs.add(context, 'attachments.remove', { uuids: rows.map((row) => row.uuid) });
  });
}

/** The job that deletes the bytes of deleted files. */
export async function removeBytes({ uuids }: { uuids: string[] }, { storage }: Context): Promise<void> {
  for (const uuid of uuids) await storage.delete(attachmentKey(uuid));
}

const BATCH = 500;

/** Deletes the bytes of all files of a repository that is being deleted; the rows are deleted with its own. */
export async function removeBytesOfRepository({ repositoryId }: { repositoryId: number }, { db, storage }: Context): Promise<void> {
  for (let after = 0; ; ) {
    const rows = await db
      .selectFrom('attachments')
      .select(['id', 'uuid'])
      .where('repository_id', '=', repositoryId)
      .where('id', '>', after)
      .orderBy('id')
      .limit(BATCH)
      .execute();
    for (const { uuid } of rows) await storage.delete(attachmentKey(uuid));
    const last = rows.at(-1);
    if (!last) return;
    after = last.id;
  }
}
