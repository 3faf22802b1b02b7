import { feature, when } from '../feature.ts';
import { hasPushedBranch } from '../git/refs/ref-update.ts';
import { unassignFromEachOther } from './assignees/on-user-blocked.ts';
import { expirePending } from './attachments/pending.ts';
import { removeBytes, removeBytesOfRepository } from './attachments/remove.ts';
import { deleteCommentsOf } from './comments/on-user-deleted.ts';
import { leaveLabelsOfOwner } from './labels/after-transfer.ts';
import { createFirstLabels } from './labels/from-templates.ts';
import { organizationLabelRoutes, repositoryLabelRoutes } from './labels/routes.ts';
import { endRevokedInvolvement } from './on-access-revoked.ts';
import { followCommitMessages } from './references/commits.ts';
import { issueRoutes } from './routes.ts';

export const issues = feature({
  name: 'issues',
  routes: [...repositoryLabelRoutes, ...organizationLabelRoutes, ...issueRoutes],
  on: {
    'commit messages': { 'refs.changed': when(hasPushedBranch, followCommitMessages) },
    issues: { 'access.reduced': endRevokedInvolvement },
  },
  within: {
    'repository.creating': createFirstLabels,
    'repository.transferred': leaveLabelsOfOwner,
    'repository.removing': removeBytesOfRepository,
    'user.blocked': unassignFromEachOther,
    'user.deleting': deleteCommentsOf,
  },
  jobs: {
    'attachments.remove': { run: removeBytes, queue: 'cleanup' },
    'attachments.expire': { run: expirePending, queue: 'cleanup' },
  },
  needs: ['isReviewRequested', 'isReviewedBy', 'isMergeOf', 'findRepositoryOfRelease'],
});
