import { mailNewUser } from './accounts/mailed-links.ts';
import { deleteActivitiesOf, deleteOldActivities } from './activity/leaving.ts';
import { recordComment, recordIssue, recordMerge, recordRefs, recordRelease, recordRepository, recordReview } from './activity/record.ts';
import type { TaskSchedule } from './admin/cron/schedule.ts';
import { scheduleUpkeep } from './admin/cron/work.ts';
import { expireArchives } from './code/archives/expire.ts';
import { copyBranchProtections } from './code/protections/copy.ts';
import { keepUp } from './code/upkeep.ts';
import type { EventLog } from './events/event-log.ts';
import { deliver } from './federation/inbox.ts';
import { unassignFromEachOther } from './issues/assignees/parting.ts';
import { removeBytes, removeBytesOfRepository } from './issues/attachments/remove.ts';
import { releaseFiles } from './issues/attachments/serve.ts';
import { deleteCommentsOf } from './issues/comments/leaving.ts';
import { endHiddenTies } from './issues/hidden.ts';
import { leaveLabelsOfOwner } from './issues/labels/after-transfer.ts';
import { createFirstLabels } from './issues/labels/from-templates.ts';
import { followCommitMessages } from './issues/references/commits.ts';
import type { JobQueue } from './jobs/job-queue.ts';
import { endHiddenThreads } from './notifications/hidden.ts';
import { mailAssignee, mailOfIssue, mailOfReadiness, mailReviewers } from './notifications/mail.ts';
import { endThreadsOf } from './notifications/notifications.ts';
import {
  ISSUE_NEWS,
  notifyAssignee,
  notifyOfIssue,
  notifyOfReadiness,
  notifyRecipient,
  notifyReviewers,
  readByMerger,
} from './notifications/notify.ts';
import { mailOfRelease } from './notifications/release-mail.ts';
import { mailOfTransfer } from './notifications/transfer-mail.ts';
import { leaveOrganizations } from './organizations/purge.ts';
import { subscribePulls } from './pulls/subscribe.ts';
import { readableRelease } from './releases/assets/reading.ts';
import { followTags, keepNameOfRelease, keepTagOfRelease } from './releases/follow-tags.ts';
import { deleteRepositoriesOf, removeRemains } from './repositories/delete.ts';
import { removeDeployKeys } from './repositories/deploy-keys/deploy-keys.ts';
import { countAfterPush, countStatistics } from './repositories/statistics/statistics.ts';
import { cancelTransfersBetween, cancelTransfersOf } from './repositories/transfer/cancel.ts';
import { watchAfterPush } from './repositories/watches/after-push.ts';
import { endHiddenWatches } from './repositories/watches/hidden.ts';
import { copyHooks } from './webhooks/hooks/copy.ts';
import { subscribeWebhooks } from './webhooks/subscribe.ts';

/**
 * Who is told of which event, who does which job, and what is done regularly: the one place where features that others must not import
 * are wired to them.
 */
export function subscribe(events: EventLog, jobs: JobQueue, schedule: TaskSchedule): void {
  scheduleUpkeep(schedule);
  jobs.work('repository.remove-folder', removeRemains);
  jobs.work('federation.deliver', deliver);
  // Most instances never send a mail, so what sends them is loaded with the first.
  jobs.work('mail.send', async (mail, context) => (await import('./mail/send.ts')).sendMail(mail, context));
  events.on('user.created', 'mail', mailNewUser);
  jobs.work('archives.expire', expireArchives);
  jobs.work('repository.maintain', keepUp);
  events.within('repository.creating', createFirstLabels);
  events.within('repository.creating', copyBranchProtections);
  events.within('repository.creating', copyHooks);
  jobs.work('attachments.remove', removeBytes);
  events.within('repository.removing', removeBytesOfRepository);
  releaseFiles.reader = readableRelease;
  events.within('refs.changed', followTags);
  events.within('tag.creating', keepNameOfRelease);
  events.within('tag.deleting', keepTagOfRelease);
  jobs.work('repository.statistics', countStatistics);
  events.on('pull.merged', 'activity', recordMerge);
  events.on('refs.changed', 'statistics', countAfterPush);
  events.on('refs.changed', 'watches', watchAfterPush);
  events.on('refs.changed', 'commit messages', followCommitMessages);
  events.on('access.reduced', 'watches', endHiddenWatches);
  events.on('access.reduced', 'issues', endHiddenTies);
  events.on('access.reduced', 'notifications', endHiddenThreads);
  events.within('repository.transferred', leaveLabelsOfOwner);
  events.within('repository.deleted', removeDeployKeys);
  events.within('repository.deleted', endThreadsOf);
  events.within('user.purging', deleteRepositoriesOf);
  events.within('user.purging', leaveOrganizations);
  events.within('user.blocked', cancelTransfersBetween);
  events.within('user.blocked', unassignFromEachOther);
  events.within('user.deleting', cancelTransfersOf);
  events.within('user.deleting', deleteCommentsOf);
  subscribePulls(events, jobs);
  for (const news of ISSUE_NEWS) {
    events.on(news, 'notifications', notifyOfIssue);
    events.on(news, 'notification mails', mailOfIssue);
  }
  events.on('pull.merged', 'notifications', readByMerger);
  events.on('pull.merged', 'notification mails', mailOfIssue);
  events.on('issue.edited', 'notifications', notifyOfReadiness);
  events.on('issue.edited', 'notification mails', mailOfReadiness);
  events.on('issue.assigned', 'notifications', notifyAssignee);
  events.on('issue.assigned', 'notification mails', mailAssignee);
  events.on('review.requested', 'notifications', notifyReviewers);
  events.on('review.requested', 'notification mails', mailReviewers);
  for (const news of ['repository.created', 'repository.renamed', 'repository.transferred'] as const) {
    events.on(news, 'activity', recordRepository);
  }
  events.on('refs.changed', 'activity', recordRefs);
  for (const news of ['issue.opened', 'issue.closed', 'issue.reopened'] as const) events.on(news, 'activity', recordIssue);
  events.on('comment.created', 'activity', recordComment);
  events.on('review.submitted', 'activity', recordReview);
  events.on('release.published', 'activity', recordRelease);
  events.on('release.published', 'notification mails', mailOfRelease);
  events.within('user.deleting', deleteActivitiesOf);
  schedule.work('delete_old_actions', deleteOldActivities);
  events.on('repository.transfer-started', 'notifications', notifyRecipient);
  events.on('repository.transfer-started', 'notification mails', mailOfTransfer);
  subscribeWebhooks(events, jobs, schedule);
}
