import { feature } from '../feature.ts';
import { deleteOldDeliveries } from './deliveries/expire.ts';
import { DeliveryQueue, QUEUE_NAME } from './deliveries/queue.ts';
import { copyHooks } from './hooks/copy.ts';
import { atCommit } from './payloads/at-commit.ts';
import { enqueueComment } from './payloads/comments.ts';
import { enqueueDeletedIssue } from './payloads/deleted-issues.ts';
import { enqueueIssue, ISSUE_EVENTS } from './payloads/issues.ts';
import { enqueueDeletedPackage, enqueuePublished } from './payloads/packages.ts';
import { enqueueRefs } from './payloads/refs.ts';
import { enqueueDeletedRelease, enqueueRelease } from './payloads/releases.ts';
import { enqueueDeletion, enqueueFork, enqueueRepository } from './payloads/repositories.ts';
import { enqueueReview, enqueueReviewRequest } from './payloads/reviews.ts';
import { enqueueStatus } from './payloads/statuses.ts';
import { enqueueWiki, WIKI_EVENTS } from './payloads/wikis.ts';
import { completePayload, payloadsOfRef } from './payloads/workflow-triggers.ts';
import { enqueueJob, enqueueRun } from './payloads/workflows.ts';
import { webhookRoutes } from './routes.ts';

export const webhooks = feature({
  name: 'webhooks',
  routes: webhookRoutes,
  within: {
    ...atCommit(['refs.changed'], enqueueRefs),
    ...atCommit(['repository.created'], enqueueRepository),
    ...atCommit(['repository.forked'], enqueueFork),
    ...atCommit(['commit.status'], enqueueStatus),
    ...atCommit(['release.published', 'release.updated'], enqueueRelease),
    ...atCommit(['release.deleted'], enqueueDeletedRelease),
    ...atCommit(WIKI_EVENTS, enqueueWiki),
    ...atCommit(ISSUE_EVENTS, enqueueIssue),
    ...atCommit(['comment.created', 'comment.edited', 'comment.deleted'], enqueueComment),
    ...atCommit(['workflow-run.changed'], enqueueRun),
    ...atCommit(['workflow-job.changed'], enqueueJob),
    ...atCommit(['review.submitted'], enqueueReview),
    ...atCommit(['review.requested'], enqueueReviewRequest),
    'repository.creating': copyHooks,
    // Their subject does not exist any more at the end of the transaction.
    'repository.deleted': enqueueDeletion,
    'issue.deleting': enqueueDeletedIssue,
    'package.deleting': enqueueDeletedPackage,
    'package.published': enqueuePublished,
  },
  provides: { payloadsOfRef, completePayload },
  queues: { [QUEUE_NAME]: () => new DeliveryQueue() },
  schedules: { cleanup_hook_task_table: deleteOldDeliveries },
});
