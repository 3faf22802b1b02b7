import type { Context } from '../../context.ts';
import { presentComment } from '../../issues/comments/present.ts';
import { findIssuesById } from '../../issues/find.ts';
import { presentIssue } from '../../issues/present.ts';
import { findPullOfIssue } from '../../pulls/find.ts';
import { presentKnownPull } from '../../pulls/present.ts';
import { enqueueDeliveries, type Receivers } from '../deliveries/enqueue.ts';
import type { CommittingEvent } from './at-commit.ts';
import { actorOf, asSeenBy, presentSender } from './people.ts';
import { repositoryFor } from './repositories.ts';

type CommentEvent = 'comment.created' | 'comment.edited' | 'comment.deleted';

const ACTIONS = { 'comment.created': 'created', 'comment.edited': 'edited', 'comment.deleted': 'deleted' } as const;

/** Delivers a comment that was created, edited or deleted. */
export async function enqueueComment(event: CommittingEvent<CommentEvent>, context: Context, receivers: Receivers): Promise<void> {
  const { issueId, commentId, actorId } = event.payload;
  const issue = (await findIssuesById(context.db, [issueId])).get(issueId);
  if (!issue) return;
  const payload = async () => {
    const actor = await actorOf(context, actorId);
    const seen = asSeenBy(context, actor);
    const pull = await findPullOfIssue(context.db, issue);
    const row = await context.db.selectFrom('comments').selectAll().where('id', '=', commentId).executeTakeFirst();
    // Of an edited comment clients know the files only when one came.
    const hasFiles = event.type !== 'comment.edited' || ('fileId' in event.payload && event.payload.fileId !== undefined);
    const comment = row && (await presentComment(seen, row, issue));
    return {
      action: ACTIONS[event.type],
      issue: await presentIssue(seen, issue),
      ...(pull && { pull_request: await presentKnownPull(seen, pull) }),
      comment: 'comment' in event.payload ? event.payload.comment : comment ? { ...comment, ...(!hasFiles && { assets: [] }) } : null,
      ...('oldBody' in event.payload && { changes: { body: { from: event.payload.oldBody }, added_labels: null, removed_labels: null } }),
      repository: await repositoryFor(context, issue.repository, actor),
      sender: presentSender(context, actor),
      is_pull: issue.is_pull,
    };
  };
  if (issue.is_pull) await enqueueDeliveries(context, receivers, { event: 'pull_request_comment', payload, completion: { kind: 'pull' } });
  else await enqueueDeliveries(context, receivers, { event: 'issue_comment', payload });
}
