import type { RepositoryAccess } from '../../access/repository-access.ts';
import type { Context } from '../../context.ts';
import type { AttachmentRow } from '../../database/tables/issues.ts';
import { HttpError, notFoundBecause } from '../../http/errors.ts';
import { pathId } from '../../http/path-id.ts';
import type { CommentInput } from '../comments/find.ts';
import { canReadIssue, findIssue, type IssueInput } from '../find.ts';
import { isHiddenComment } from '../pending.ts';
import { type AttachmentTarget, findAttachment, refuseNoWriter } from './attachments.ts';

/** A 404 with the body null, as clients expect. */
function nothing(): HttpError {
  return new HttpError(404, 'not found', { body: null });
}

/**
 * The issue that the path names.
 * @throws HttpError 404 when the caller may not see it
 */
export async function issueTarget({ repository, access, params }: IssueInput, { db }: Context): Promise<AttachmentTarget> {
  const issue = await findIssue(db, repository, pathId(params.index));
  if (!issue || !canReadIssue(access, issue)) throw nothing();
  return { issue };
}

/**
 * The comment that the path names, with its issue.
 * @throws HttpError 404 when the caller may not see it
 */
export async function commentTarget({ repository, access, params }: CommentInput, context: Context): Promise<Required<AttachmentTarget>> {
  const { db } = context;
  const comment = await db.selectFrom('comments').selectAll().where('id', '=', pathId(params.id)).executeTakeFirst();
  if (!comment || (await isHiddenComment(context, comment))) throw nothing();
  if (comment.repository_id !== repository.id) throw notFoundBecause('no matching issue comment found');
  const row = await db.selectFrom('issues').selectAll().where('id', '=', comment.issue_id).executeTakeFirst();
  if (!row || !canReadIssue(access, row)) throw nothing();
  return { issue: { ...row, repository }, comment };
}

/** The input of a route of one file. */
export interface FileInput {
  access: RepositoryAccess;
  params: { attachment_id: string };
}

interface FoundFile {
  file: AttachmentRow;
  /** With the comment of the file, even if the path names only its issue. */
  target: AttachmentTarget;
}

/**
 * The file that the path names.
 * @throws HttpError 404
 */
export async function fileIn(context: Context, target: AttachmentTarget, { params }: Pick<FileInput, 'params'>): Promise<FoundFile> {
  const file = await findAttachment(context, target, params.attachment_id);
  if (!file) throw nothing();
  if (file.comment_id === null || target.comment) return { file, target };
  const comment = await context.db.selectFrom('comments').selectAll().where('id', '=', file.comment_id).executeTakeFirst();
  if (!comment || (await isHiddenComment(context, comment))) throw nothing();
  return { file, target: { ...target, comment } };
}

/** {@link fileIn} for a change. */
export async function changeableFile(context: Context, target: AttachmentTarget, input: FileInput): Promise<AttachmentRow> {
  refuseNoWriter(target, input.access, context);
  const found = await fileIn(context, target, input);
  refuseNoWriter(found.target, input.access, context);
  return found.file;
}
