import { feature } from '../feature.ts';
import { expireArchives } from './archives/expire.ts';
import { maintainRepository } from './maintenance.ts';
import { copyBranchProtections } from './protections/copy.ts';
import { purgeRepository } from './purge.ts';
import { recoverMoves } from './recover-moves.ts';
import { codeRoutes } from './routes.ts';

export const code = feature({
  name: 'code',
  routes: codeRoutes,
  within: { 'repository.creating': copyBranchProtections },
  jobs: {
    'archives.expire': { run: expireArchives, queue: 'cleanup', deadline: 3600 },
    'repository.purge': { run: purgeRepository, queue: 'maintenance', deadline: 3600 },
    'repository.maintain': { run: maintainRepository, queue: 'maintenance', deadline: 3600 },
  },
  recover: recoverMoves,
  needs: ['maintainedBranches', 'followMovedRefs', 'prepareMovedTags', 'findLargeFile', 'storeLargeFile'],
});
