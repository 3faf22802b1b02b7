import { feature } from '../feature.ts';
import { deleteOldDeliveries } from './deliveries/expire.ts';
import { DeliveryQueue, QUEUE_NAME } from './deliveries/queue.ts';
import { copyHooks } from './hooks/copy.ts';
import { atCommit } from './payloads/at-commit.ts';
import { tellOfComment } from './payloads/comments.ts';
import { tellOfDeletedIssue } from './payloads/deleted-issues.ts';
import { ISSUE_EVENTS, tellOfIssue } from './payloads/issues.ts';
import { tellOfRefs } from './payloads/refs.ts';
import { tellOfDeletedRelease, tellOfRelease } from './payloads/releases.ts';
import { tellOfDeletion, tellOfFork, tellOfRepository } from './payloads/repositories.ts';
import { tellOfReview, tellOfReviewRequest } from './payloads/reviews.ts';
import { tellOfStatus } from './payloads/statuses.ts';
import { tellOfWiki, WIKI_EVENTS } from './payloads/wikis.ts';
import { webhookRoutes } from './routes.ts';

export const webhooks = feature({
  name: 'webhooks',
  routes: webhookRoutes,
  within: {
    ...atCommit(['refs.changed'], tellOfRefs),
    ...atCommit(['repository.created'], tellOfRepository),
    ...atCommit(['repository.forked'], tellOfFork),
    ...atCommit(['commit.status'], tellOfStatus),
    ...atCommit(['release.published', 'release.updated'], tellOfRelease),
    ...atCommit(['release.deleted'], tellOfDeletedRelease),
    ...atCommit(WIKI_EVENTS, tellOfWiki),
    ...atCommit(ISSUE_EVENTS, tellOfIssue),
    ...atCommit(['comment.created', 'comment.edited', 'comment.deleted'], tellOfComment),
    ...atCommit(['review.submitted'], tellOfReview),
    ...atCommit(['review.requested'], tellOfReviewRequest),
    'repository.creating': copyHooks,
    // What they tell of is not there any more at the end of the transaction.
    'repository.deleted': tellOfDeletion,
    'issue.deleting': tellOfDeletedIssue,
  },
  queues: { [QUEUE_NAME]: () => new DeliveryQueue() },
  schedules: { cleanup_hook_task_table: deleteOldDeliveries },
});
