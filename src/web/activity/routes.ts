import { canRead, unitOn } from '../../access/requirements.ts';
import type { AnyRoute } from '../../http/route.ts';
import { repositoryPage } from '../resource-pages.ts';
import { contributorsPage } from './contributors.ts';
import { codeFrequencyPage, recentCommitsPage } from './frequency.ts';
import { pulsePage } from './pulse.ts';

const some = [unitOn('code', 'issues', 'pulls', 'releases')];
const code = [canRead('code')];

/** The activity pages of a repository. */
export const activityPages: readonly AnyRoute[] = [
  ...repositoryPage({ path: '/:owner/:repo/activity', needs: some, semaphore: 'searches', get: pulsePage }),
  ...repositoryPage({ path: '/:owner/:repo/activity/contributors', needs: code, get: contributorsPage }),
  ...repositoryPage({ path: '/:owner/:repo/activity/code-frequency', needs: code, get: codeFrequencyPage }),
  ...repositoryPage({ path: '/:owner/:repo/activity/recent-commits', needs: code, get: recentCommitsPage }),
  ...repositoryPage({
    path: '/:owner/:repo/activity/:period(^daily|halfweekly|weekly|monthly|quarterly|semiyearly|yearly$)',
    needs: some,
    semaphore: 'searches',
    get: pulsePage,
  }),
];
