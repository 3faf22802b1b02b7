import { each, feature } from '../feature.ts';
import { forgetDeliveries } from './deliveries/forget.ts';
import { DeliveryQueue, QUEUE_NAME } from './deliveries/queue.ts';
import { copyHooks } from './hooks/copy.ts';
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
  on: {
    webhooks: {
      'refs.changed': tellOfRefs,
      'repository.created': tellOfRepository,
      'repository.forked': tellOfFork,
      'commit.status': tellOfStatus,
      ...each(['release.published', 'release.updated'], tellOfRelease),
      'release.deleted': tellOfDeletedRelease,
      ...each(WIKI_EVENTS, tellOfWiki),
      ...each(ISSUE_EVENTS, tellOfIssue),
      ...each(['comment.created', 'comment.edited', 'comment.deleted'], tellOfComment),
      'review.submitted': tellOfReview,
      'review.requested': tellOfReviewRequest,
    },
  },
  within: { 'repository.creating': copyHooks, 'repository.deleted': tellOfDeletion, 'issue.deleting': tellOfDeletedIssue },
  queues: { [QUEUE_NAME]: () => new DeliveryQueue() },
  schedules: { cleanup_hook_task_table: forgetDeliveries },
});
