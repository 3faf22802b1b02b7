import type { IssueEvent } from '../events/events.ts';
import { each, feature, when } from '../feature.ts';
import { hasBranch, hasMovedBranch } from '../git/refs/ref-update.ts';
import { refuseForRefs, takeForRefs } from './agit/receive.ts';
import { renameTopics } from './agit/rename.ts';
import { dropAfterStrangersChange } from './auto-merge/auto-merge.ts';
import { PLANNED_MERGE_NEWS, tryAfterChange, tryAfterPush, tryAfterStatus } from './auto-merge/follow.ts';
import { doPlanned } from './auto-merge/work.ts';
import { requestCodeOwnersOf } from './code-owners/request-reviews.ts';
import { findOpenNumber } from './find-open.ts';
import { followAtOnce, followRefs, followReopened } from './heads/follow.ts';
import { closeFromDeleted, followRename } from './heads/follow-branches.ts';
import { maintainedBranches } from './heads/maintainers.ts';
import { keepHeadOf, removeHead } from './heads/write-ref.ts';
import { recoverMerges } from './merge/in-progress.ts';
import { findMerges, isMergeOf, noticeMerges } from './merge/manual.ts';
import { checkAgain, checkNew, checkOne, checkOnto, forgetCheck, forgetChecksOnto } from './mergeability/follow.ts';
import { reviewedBy, reviewRequested } from './reviews/filters.ts';
import { endUnfinishedReviews, withdrawRevokedRequests } from './reviews/on-access-revoked.ts';
import { countAnew, moveComments } from './reviews/stale.ts';
import { keepText } from './reviews/texts.ts';
import { pullRoutes } from './routes.ts';

const mayBePull = ({ isPull }: IssueEvent) => isPull !== false;

export const pulls = feature({
  name: 'pulls',
  routes: pullRoutes,
  on: {
    'pull heads': {
      'refs.changed': when(hasBranch, followRefs),
      'issue.reopened': followReopened,
      'issue.deleted': removeHead,
      ...each(['issue.opened', 'pull.synchronized'], when(mayBePull, keepHeadOf)),
    },
    'merges with git': { 'refs.changed': when(hasMovedBranch, noticeMerges) },
    'planned merges': {
      'commit.status': tryAfterStatus,
      'refs.changed': when(hasBranch, tryAfterPush),
      ...each(PLANNED_MERGE_NEWS, when(mayBePull, tryAfterChange)),
    },
    'code comments': each(['pull.synchronized', 'pull.retargeted'], moveComments),
    'code owners': each(['issue.opened', 'issue.edited', 'pull.synchronized'], when(mayBePull, requestCodeOwnersOf)),
    'review requests': { 'access.reduced': withdrawRevokedRequests },
  },
  within: {
    'refs.changed': forgetChecksOnto,
    'branch.renamed': followRename,
    'issue.opened': checkNew,
    'issue.reopened': forgetCheck,
    'comment.edited': keepText,
    'pull.synchronized': [dropAfterStrangersChange, forgetCheck],
    'pull.retargeted': [checkAgain, countAnew, dropAfterStrangersChange],
    'repository.deleting': closeFromDeleted,
    'user.renamed': renameTopics,
    'user.deleting': endUnfinishedReviews,
  },
  jobs: {
    'pull.check': { run: checkOne, queue: 'checks' },
    'pulls.check': { run: checkOnto, queue: 'checks' },
    'pulls.notice-merges': { run: findMerges },
    'pull.auto-merge': { run: doPlanned },
  },
  recover: recoverMerges,
  provides: {
    maintainedBranches,
    followMovedRefs: followAtOnce,
    refuseForRefs,
    takeForRefs,
    findOpenPull: findOpenNumber,
    isReviewRequested: reviewRequested,
    isReviewedBy: reviewedBy,
    isMergeOf,
  },
});
