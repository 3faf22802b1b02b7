import { feature } from '../feature.ts';
import { followCreation, followDefaultBranch, followRefs, removeIndexes } from './index/follow.ts';
import { repairIndexes, updateStale } from './index/stale.ts';
import { updateIndex } from './index/update.ts';
import { searchRoutes } from './routes.ts';

export const search = feature({
  name: 'search',
  routes: searchRoutes,
  within: {
    'refs.changed': followRefs,
    'repository.created': followCreation,
    'default-branch.changed': followDefaultBranch,
    'repository.removing': removeIndexes,
  },
  jobs: {
    'code-search.update': { run: updateIndex, queue: 'indexing', deadline: 3600 },
    'code-search.clean': { run: (_, context, { signal }) => updateStale(context, signal), queue: 'cleanup', deadline: 3600 },
  },
  recover: repairIndexes,
  schedules: { check_repo_stats: updateStale },
});
