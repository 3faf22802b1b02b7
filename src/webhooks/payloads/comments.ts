import type { Context } from '../../context.ts';
import type { StoredEvent } from '../../events/event-log.ts';
import { presentComment } from '../../issues/comments/present.ts';
import { findIssuesById } from '../../issues/find.ts';
import { presentIssue } from '../../issues/present.ts';
import { findPullOfIssue } from '../../pulls/find.ts';
import { presentPull } from '../../pulls/present.ts';
import { tell } from '../deliveries/tell.ts';
import { asSeenBy, doerOf, presentSender } from './people.ts';
import { audienceOfRepository, repositoryFor } from './repositories.ts';

type CommentEvent = 'comment.created' | 'comment.edited' | 'comment.deleted';

const ACTIONS = { 'comment.created': 'created', 'comment.edited': 'edited', 'comment.deleted': 'deleted' } as const;

/** Tells of a comment that was written, changed or deleted. */
export async function tellOfComment(event: StoredEvent<CommentEvent>, context: Context): Promise<void> {
  const { issueId, commentId, doerId } = event.payload;
  const issue = (await findIssuesById(context.db, [issueId])).get(issueId);
  if (!issue) return;
  const payload = async () => {
    const doer = await doerOf(context, doerId);
    const seen = asSeenBy(context, doer);
    const pull = await findPullOfIssue(context.db, issue);
    const row = await context.db.selectFrom('comments').selectAll().where('id', '=', commentId).executeTakeFirst();
    return {
      action: ACTIONS[event.type],
      issue: await presentIssue(seen, issue),
      ...(pull && { pull_request: await presentPull(seen, pull) }),
      comment: 'comment' in event.payload ? event.payload.comment : row ? await presentComment(seen, row, issue) : null,
      ...('oldBody' in event.payload && { changes: { body: { from: event.payload.oldBody }, added_labels: null, removed_labels: null } }),
      repository: await repositoryFor(context, issue.repository, doer),
      sender: presentSender(context, doer),
      is_pull: issue.is_pull,
    };
  };
  const news = { event: issue.is_pull ? 'pull_request_comment' : 'issue_comment', payload } as const;
  await tell(context, await audienceOfRepository(context, issue.repository), { eventId: event.id }, news);
}
