import type { Context } from '../context.ts';
import { each, feature, when } from '../feature.ts';
import { mailOf, mailOfTo } from './mail.ts';
import { sends } from './mail-preferences.ts';
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
import { hasFollowers } from './receivers.ts';
import { notificationRoutes } from './routes.ts';
import { isMailedRun, mailOfRun } from './run-mail.ts';
import { mailOfTransfer } from './transfer-mail.ts';

const isMailed = (_: unknown, context: Context) => sends(context);

export const notifications = feature({
  name: 'notifications',
  routes: notificationRoutes,
  on: {
    notifications: {
      ...each(ISSUE_EVENTS, when(hasFollowers, notifyOfIssue)),
      'pull.merged': readByMerger,
      'issue.edited': notifyOfReadiness,
      'issue.assigned': notifyAssignee,
      'review.requested': notifyReviewers,
      'repository.transfer-started': notifyRecipient,
      'access.reduced': deleteRevokedThreads,
    },
    'notification mails': {
      ...each(
        [...ISSUE_EVENTS, 'pull.merged', 'issue.edited', 'issue.assigned', 'review.requested', 'release.published'] as const,
        when(isMailed, mailOf),
      ),
      'repository.transfer-started': when(isMailed, mailOfTransfer),
      'workflow-run.changed': when(isMailedRun, mailOfRun),
    },
  },
  jobs: { 'notifications.mail': { run: mailOfTo } },
  within: { 'repository.deleted': endThreadsOf },
});
