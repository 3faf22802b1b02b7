import type { RepositoryAccess } from '../../access/repository-access.ts';
import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { prepared } from '../../database/prepared.ts';
import type { CommentRow, TimelineKind } from '../../database/tables/issues.ts';
import { conflict, forbidden, notFound } from '../../http/errors.ts';
import { removeAttachments } from '../attachments/remove.ts';
import { refuseBlocked } from '../blocked.ts';
import { issueEvent } from '../event.ts';
import { canWriteIssue, changingIssue, type Issue } from '../find.ts';
import { recordVersion } from '../history/record.ts';
import { isPending } from '../pending.ts';
import { findMentioned, rememberMentions } from '../references/mentions.ts';
import { findTargets, refer, takeBackReferences } from '../references/references.ts';
import { namesInMarkdown } from '../references/texts.ts';
import { indexComment } from '../search/index.ts';
import { addEvent } from '../timeline/events.ts';
import { presentComment } from './present.ts';

/**
 * Refuses comments on a locked conversation by users without write access.
 * @throws HttpError 403
 */
export function refuseLocked({ actor }: Pick<Context, 'actor'>, issue: Issue, access: RepositoryAccess): void {
  const mayWrite = canWriteIssue(access, issue) || actor?.is_admin;
  if (issue.is_locked && !mayWrite) throw forbidden('You cannot comment on a locked issue.');
}

/** Whether rows of this kind have their own text, which can be changed and deleted. */
export function hasText(kind: TimelineKind): boolean {
  return kind === 'comment' || kind === 'code' || kind === 'review' || kind === 'dismiss_review';
}

/**
 * Writes a comment in the caller's name.
 * @throws HttpError 403 for blocked users
 */
export async function createComment(context: Context, issue: Issue, body: string): Promise<CommentRow> {
  await refuseBlocked(context, issue);
  const { references, mentions: names } = await namesInMarkdown(context, body);
  const targets = await findTargets(context, sourceOf(issue), references);
  const mentioned = await findMentioned(context, issue, names);
  return changingIssue(
    context,
    issue,
    async (context, issue) => {
      const comment = await addEvent(context, issue, 'comment', { body });
      await count(context, issue, 1);
      await indexComment(context, comment);
      await rememberMentions(context, issue.id, mentioned);
      await refer(context, issue, comment, targets, { isNew: true });
      const mentions = mentioned.map(({ id }) => id);
      await context.events.emit(context, 'comment.created', { ...issueEvent(context, issue), commentId: comment.id, mentions });
      return comment;
    },
    targets.map((target) => target.issue.repository_id),
  );
}

/**
 * Changes the text of a comment.
 * @throws HttpError 403 for blocked users, 409 when somebody else changed it meanwhile
 */
export async function editComment(context: Context, comment: CommentRow, issue: Issue, body: string): Promise<CommentRow> {
  if (body === comment.body) return comment;
  await refuseBlocked(context, issue);
  const targets = await findTargets(context, sourceOf(issue), (await namesInMarkdown(context, body)).references);
  return changingIssue(
    context,
    issue,
    async (context, issue) => {
      const changed = await context.db
        .updateTable('comments')
        .set({ body, content_version: comment.content_version + 1, updated_at: now() })
        .where('id', '=', comment.id)
        .where('content_version', '=', comment.content_version)
        .returningAll()
        .executeTakeFirst();
      if (!changed) throw conflict('the comment is already changed');
      // A pending comment is neither indexed for the search nor emitted as an event, and others never see its former text.
      if (await isPending(context, changed)) return changed;
      await recordVersion(context, textOf(comment), body);
      await indexComment(context, changed);
      await refer(context, issue, changed, targets);
      const event = { ...issueEvent(context, issue), commentId: comment.id, oldBody: comment.body };
      await context.events.emit(context, 'comment.edited', event);
      return changed;
    },
    targets.map((target) => target.issue.repository_id),
  );
}

function textOf({ id, issue_id: issueId, author_id: authorId, body, created_at: createdAt }: CommentRow) {
  return { issueId, commentId: id, authorId, body, createdAt };
}

/** Deletes a comment and its references. */
export async function deleteComment(context: Context, comment: CommentRow, issue: Issue): Promise<void> {
  await changingIssue(context, issue, async (context, issue) => {
    const presented = await presentComment(context, comment, issue);
    const isDraft = await isPending(context, comment);
    await removeAttachments(context, { comment_id: comment.id });
    const { numDeletedRows } = await context.db.deleteFrom('comments').where('id', '=', comment.id).executeTakeFirst();
    if (Number(numDeletedRows) === 0) throw notFound();
    if (comment.kind === 'comment' || comment.kind === 'review') await count(context, issue, comment.kind === 'comment' ? -1 : 0);
    await takeBackReferences(context, issue.id, comment.id);
    if (isDraft) return;
    const event = { ...issueEvent(context, issue), commentId: comment.id, comment: { ...presented, assets: [] } };
    await context.events.emit(context, 'comment.deleted', event);
  });
}

function sourceOf(issue: Issue) {
  return { repository: issue.repository, isPull: issue.is_pull, issueId: issue.id, isComment: true };
}

/** Counts an added or deleted comment of an issue, and the reviews of a pull request with it: clients see both as one number. */
async function count({ db }: Context, { id, is_pull: isPull }: Pick<Issue, 'id' | 'is_pull'>, by: 1 | 0 | -1): Promise<void> {
  await (isPull ? countOfPull : countOfIssue)(db, id, by);
}

const countOfIssue = prepared((db, id: number, by: number) =>
  db
    .updateTable('issues')
    .set((row) => ({ comments_count: row('comments_count', '+', by) }))
    .where('id', '=', id),
);
const countOfPull = prepared((db, id: number, by: number) =>
  db
    .updateTable('issues')
    .set((row) => ({
      comments_count: row('comments_count', '+', by),
      counted_reviews: row
        .selectFrom('comments')
        .select((select) => select.fn.countAll<number>().as('count'))
        .where('issue_id', '=', id)
        .where('kind', '=', 'review'),
    }))
    .where('id', '=', id),
);
