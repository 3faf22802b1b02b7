import type { RepositoryAccess } from '../../access/repository-access.ts';
import { signedInActor } from '../../accounts/sign-in/actor.ts';
import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import type { AttachmentRow, CommentRow } from '../../database/tables/issues.ts';
import { forbidden, notFound, unprocessable } from '../../http/errors.ts';
import { pathId } from '../../http/path-id.ts';
import { refuseBlocked } from '../blocked.ts';
import { issueEvent } from '../event.ts';
import { canWriteIssue, changingIssue, type Issue } from '../find.ts';
import { isPending } from '../pending.ts';
import { allowedName } from './allowed.ts';
import { attachmentKey, type StoredFile } from './store.ts';

/** Maximum number of files of an issue or a comment. */
const MAX_FILES = 200;

/** What a file is attached to: an issue, or a comment of it. */
export interface AttachmentTarget {
  readonly issue: Issue;
  readonly comment?: CommentRow;
}

/**
 * Refuses callers who may not change the files of an issue or a comment: of an issue its author and writers may, of a comment
 * its author and administrators, as long as they may write.
 * @throws HttpError 403
 */
export function refuseNoWriter({ issue, comment }: AttachmentTarget, access: RepositoryAccess, context: Context): void {
  const actor = signedInActor(context);
  const isAdmin = access.isAdmin || actor.is_admin;
  const mayWrite = canWriteIssue(access, issue);
  if (comment) {
    const mayEdit = (actor.id === comment.author_id || isAdmin) && mayWrite;
    if (!mayEdit) throw forbidden('user should have permission to edit comment');
  } else if (actor.id !== issue.author_id && !isAdmin && !mayWrite) throw forbidden('user should have permission to write issue');
}

/**
 * The file with the id of a path, if it belongs to the issue or comment in the path. Files of comments are also files of their
 * issues.
 * @throws HttpError 404; undefined when there is no such file at all
 */
export async function findAttachment(
  { db }: Context,
  { issue, comment }: AttachmentTarget,
  id: string,
): Promise<AttachmentRow | undefined> {
  const row = await db.selectFrom('attachments').selectAll().where('id', '=', pathId(id)).executeTakeFirst();
  if (!row) return undefined;
  if (row.repository_id !== issue.repository_id) throw notFound(null, 'no such attachment in repo');
  if (comment && row.comment_id !== comment.id) throw notFound(null, 'no such attachment in comment');
  if (row.issue_id !== issue.id) throw notFound(null, 'no such attachment in issue');
  return row;
}

/**
 * Attaches a stored file; the followers of the text are notified of the change.
 * @throws HttpError 403 for blocked users, 422 when there are too many files
 */
export async function attach(context: Context, { issue, comment }: AttachmentTarget, file: StoredFile): Promise<AttachmentRow> {
  try {
    await refuseBlocked(context, issue);
    return await changingIssue(context, issue, async (context, issue) => {
      if ((await roomFor(context, { issue, comment })) === 0) throw unprocessable(`an issue or a comment has at most ${MAX_FILES} files`);
      const row = await context.db
        .insertInto('attachments')
        .values({
          ...file,
          repository_id: issue.repository_id,
          uploader_id: signedInActor(context).id,
          issue_id: issue.id,
          comment_id: comment?.id ?? null,
          created_at: now(),
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      await (comment ? countCommentChange(context, issue, comment, row.id) : countChange(context, issue, row.id));
      return row;
    });
  } catch (error) {
    await context.storage.delete(attachmentKey(file.uuid));
    throw error;
  }
}

/** How many more files an issue or a comment may have: lists show all of them for fifty. */
export async function roomFor({ db }: Context, { issue, comment }: AttachmentTarget): Promise<number> {
  const files = await db
    .selectFrom('attachments')
    .select('id')
    .where('issue_id', '=', issue.id)
    .where('comment_id', comment ? '=' : 'is', comment?.id ?? null)
    .limit(MAX_FILES)
    .execute();
  return MAX_FILES - files.length;
}

async function countChange(context: Context, issue: Issue, fileId: number): Promise<void> {
  await context.db
    .updateTable('issues')
    .set({ content_version: issue.content_version + 1, updated_at: now() })
    .where('id', '=', issue.id)
    .execute();
  await context.events.emit(context, 'issue.edited', { ...issueEvent(context, issue), oldBody: issue.body, fileId });
}

async function countCommentChange(context: Context, issue: Issue, { id }: CommentRow, fileId: number): Promise<void> {
  const changed = await context.db
    .updateTable('comments')
    .set((row) => ({ content_version: row('content_version', '+', 1), updated_at: now() }))
    .where('id', '=', id)
    .returning(['body', 'review_id'])
    .executeTakeFirstOrThrow(() => notFound());
  if (await isPending(context, changed)) return;
  const event = { ...issueEvent(context, issue), commentId: id, oldBody: changed.body, fileId };
  await context.events.emit(context, 'comment.edited', event);
}

/**
 * Renames a file; an empty name changes nothing.
 * @param allowedTypes see {@link allowedName}
 * @throws HttpError 422 for names that are not allowed
 */
export async function renameAttachment(
  { db }: Context,
  attachment: AttachmentRow,
  given: string,
  allowedTypes: readonly string[],
): Promise<AttachmentRow> {
  if (given === '') return attachment;
  const name = allowedName(allowedTypes, given);
  await db.updateTable('attachments').set({ name }).where('id', '=', attachment.id).execute();
  return { ...attachment, name };
}
