import { feature, when } from '../feature.ts';
import { hasBranch } from '../git/refs/ref-update.ts';
import { countContributions, countContributionsAfterPush } from './contributions/contributions.ts';
import { deleteRepositoriesOf, removeRemains } from './delete.ts';
import { removeDeployKeys } from './deploy-keys/deploy-keys.ts';
import { recoverCreations } from './doctor/states.ts';
import { repositoryRoutes } from './routes.ts';
import { countAfterPush, countStatistics } from './statistics/statistics.ts';
import { teamRepositoryRoutes } from './team-repositories/routes.ts';
import { cancelTransfersBetween, cancelTransfersOf } from './transfer/cancel.ts';
import { finishMoveLater } from './volumes/finish.ts';
import { mayWatch, watchAfterPush } from './watches/after-push.ts';
import { endRevokedWatches } from './watches/on-access-revoked.ts';

export const repositories = feature({
  name: 'repositories',
  routes: [...repositoryRoutes, ...teamRepositoryRoutes],
  on: {
    statistics: { 'refs.changed': when(hasBranch, countAfterPush) },
    contributions: { 'refs.changed': when(hasBranch, countContributionsAfterPush) },
    watches: { 'refs.changed': when(mayWatch, watchAfterPush), 'access.reduced': endRevokedWatches },
  },
  within: {
    'repository.deleted': removeDeployKeys,
    'user.purging': deleteRepositoriesOf,
    'user.blocked': cancelTransfersBetween,
    'user.deleting': cancelTransfersOf,
  },
  recover: recoverCreations,
  jobs: {
    'repository.remove-folder': { run: removeRemains, queue: 'cleanup', deadline: 3600 },
    'repository.finish-move': { run: finishMoveLater, queue: 'cleanup', deadline: 3600 },
    'repository.statistics': { run: countStatistics, queue: 'statistics' },
    'repository.contributions': { run: countContributions, queue: 'statistics', deadline: 3600 },
  },
});
