import type { ActionsPart } from '../part.ts';
import { removeFiles, removeFilesOfRepository } from './delete.ts';
import { runRoutes } from './routes.ts';
import { followOwner } from './transfer.ts';

/** Runs of workflows. */
export const runs: ActionsPart = {
  routes: runRoutes,
  within: { 'repository.transferred': followOwner, 'repository.removing': removeFilesOfRepository },
  jobs: { 'actions.remove-files': { run: removeFiles, queue: 'cleanup' } },
};
