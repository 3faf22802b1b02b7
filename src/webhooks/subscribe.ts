import type { TaskSchedule } from '../admin/cron/schedule.ts';
import type { EventLog } from '../events/event-log.ts';
import type { JobQueue } from '../jobs/job-queue.ts';
import { forgetDeliveries } from './deliveries/forget.ts';
import { DeliveryQueue, QUEUE_NAME } from './deliveries/queue.ts';
import { tellOfComment } from './payloads/comments.ts';
import { tellOfDeletedIssue } from './payloads/deleted-issues.ts';
import { ISSUE_EVENTS, tellOfIssue } from './payloads/issues.ts';
import { tellOfRefs } from './payloads/refs.ts';
import { tellOfDeletedRelease, tellOfRelease } from './payloads/releases.ts';
import { tellOfDeletion, tellOfFork, tellOfRepository } from './payloads/repositories.ts';
import { tellOfReview, tellOfReviewRequest } from './payloads/reviews.ts';
import { tellOfStatus } from './payloads/statuses.ts';
import { tellOfWiki, WIKI_ACTIONS } from './payloads/wikis.ts';

const NAME = 'webhooks';

/** What webhooks are told of, and the queue that delivers it. */
export function subscribeWebhooks(events: EventLog, jobs: JobQueue, schedule: TaskSchedule): void {
  jobs.accompany(QUEUE_NAME, new DeliveryQueue());
  schedule.work('cleanup_hook_task_table', forgetDeliveries);
  events.on('refs.changed', NAME, tellOfRefs);
  events.on('repository.created', NAME, tellOfRepository);
  events.on('repository.forked', NAME, tellOfFork);
  events.within('repository.deleted', tellOfDeletion);
  events.on('commit.status', NAME, tellOfStatus);
  for (const news of ['release.published', 'release.updated'] as const) events.on(news, NAME, tellOfRelease);
  events.on('release.deleted', NAME, tellOfDeletedRelease);
  for (const news of Object.keys(WIKI_ACTIONS) as (keyof typeof WIKI_ACTIONS)[]) events.on(news, NAME, tellOfWiki);
  for (const news of ISSUE_EVENTS) events.on(news, NAME, tellOfIssue);
  events.within('issue.deleting', tellOfDeletedIssue);
  for (const news of ['comment.created', 'comment.edited', 'comment.deleted'] as const) events.on(news, NAME, tellOfComment);
  events.on('review.submitted', NAME, tellOfReview);
  events.on('review.requested', NAME, tellOfReviewRequest);
}
