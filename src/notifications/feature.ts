import { each, feature } from '../feature.ts';
import { mailOf, mailOfTo } from './mail.ts';
import { endThreadsOf } from './notifications.ts';
import {
  ISSUE_EVENTS,
  notifyAssignee,
  notifyOfIssue,
  notifyOfReadiness,
  notifyRecipient,
  notifyReviewers,
  readByMerger,
} from './notify.ts';
import { deleteRevokedThreads } from './on-access-revoked.ts';
import { notificationRoutes } from './routes.ts';
import { mailOfTransfer } from './transfer-mail.ts';

export const notifications = feature({
  name: 'notifications',
  routes: notificationRoutes,
  on: {
    notifications: {
      ...each(ISSUE_EVENTS, notifyOfIssue),
      'pull.merged': readByMerger,
      'issue.edited': notifyOfReadiness,
      'issue.assigned': notifyAssignee,
      'review.requested': notifyReviewers,
      'repository.transfer-started': notifyRecipient,
      'access.reduced': deleteRevokedThreads,
    },
    'notification mails': {
      ...each([...ISSUE_EVENTS, 'pull.merged', 'issue.edited', 'issue.assigned', 'review.requested', 'release.published'] as const, mailOf),
      'repository.transfer-started': mailOfTransfer,
    },
  },
  jobs: { 'notifications.mail': { run: mailOfTo } },
  within: { 'repository.deleted': endThreadsOf },
});
