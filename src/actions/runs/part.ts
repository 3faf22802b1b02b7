import type { ActionsPart } from '../part.ts';
import { removeFiles, removeFilesOfRepository } from './delete.ts';
import { cancelScheduled, cancelWithoutUnit } from './on-repository-closed.ts';
import { runRoutes } from './routes.ts';
import { followOwner } from './transfer.ts';

/** Runs of workflows. */
export const runs: ActionsPart = {
  routes: runRoutes,
  within: {
    'repository.transferred': followOwner,
    'repository.removing': removeFilesOfRepository,
    'repository.archived': cancelScheduled,
    'repository.units-removed': cancelWithoutUnit,
  },
  jobs: { 'actions.remove-files': { run: removeFiles, queue: 'cleanup' } },
};
