import { each, feature } from '../feature.ts';
import { endHiddenThreads } from './hidden.ts';
import { mailAssignee, mailOfIssue, mailOfReadiness, mailReviewers } from './mail.ts';
import { endThreadsOf } from './notifications.ts';
import { ISSUE_NEWS, notifyAssignee, notifyOfIssue, notifyOfReadiness, notifyRecipient, notifyReviewers, readByMerger } from './notify.ts';
import { mailOfRelease } from './release-mail.ts';
import { notificationRoutes } from './routes.ts';
import { mailOfTransfer } from './transfer-mail.ts';

export const notifications = feature({
  name: 'notifications',
  routes: notificationRoutes,
  on: {
    notifications: {
      ...each(ISSUE_NEWS, notifyOfIssue),
      'pull.merged': readByMerger,
      'issue.edited': notifyOfReadiness,
      'issue.assigned': notifyAssignee,
      'review.requested': notifyReviewers,
      'repository.transfer-started': notifyRecipient,
      'access.reduced': endHiddenThreads,
    },
    'notification mails': {
      ...each(ISSUE_NEWS, mailOfIssue),
      'pull.merged': mailOfIssue,
      'issue.edited': mailOfReadiness,
      'issue.assigned': mailAssignee,
      'review.requested': mailReviewers,
      'release.published': mailOfRelease,
      'repository.transfer-started': mailOfTransfer,
    },
  },
  within: { 'repository.deleted': endThreadsOf },
});
