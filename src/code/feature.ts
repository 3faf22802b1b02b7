import { feature } from '../feature.ts';
import { expireArchives } from './archives/expire.ts';
import { expireDeletedBranches } from './branches/deleted.ts';
import { maintainRepository } from './maintenance.ts';
import { copyBranchProtections } from './protections/copy.ts';
import { purgeRepository } from './purge.ts';
import { recoverMoves } from './recover-moves.ts';
import { codeRoutes } from './routes.ts';
import { forgetTagDates } from './tags/dates.ts';

export const code = feature({
  name: 'code',
  routes: codeRoutes,
  within: { 'repository.creating': copyBranchProtections, 'refs.changed': forgetTagDates },
  jobs: {
    'archives.expire': { run: expireArchives, queue: 'cleanup', deadline: 3600 },
    'repository.purge': { run: purgeRepository, queue: 'maintenance', deadline: 3600 },
    'repository.maintain': { run: maintainRepository, queue: 'maintenance', deadline: 3600 },
  },
  schedules: { deleted_branches_cleanup: expireDeletedBranches },
  recover: recoverMoves,
  needs: ['maintainedBranches', 'followMovedRefs', 'prepareMovedTags', 'findLargeFile', 'storeLargeFile'],
});
