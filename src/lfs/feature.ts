import { feature } from '../feature.ts';
import { removeBytes } from '../jobs/remove-bytes.ts';
import { findLargeFile, storeLargeFile } from './large-files.ts';
import { lockRoutes } from './locks/routes.ts';
import { collectObjects } from './objects/collect.ts';
import { copyFromTemplate, copyToFork, linkCopied, linkMerged, unlinkAll } from './objects/follow.ts';
import { unlinkUnused } from './objects/unused.ts';
import { sshCommands } from './ssh/commands.ts';
import { transferRoutes } from './transfer/routes.ts';

export const lfs = feature({
  name: 'lfs',
  routes: [...transferRoutes, ...lockRoutes],
  provides: { findLargeFile, storeLargeFile },
  on: { 'large files': { 'pull.merged': linkMerged, 'commits.copied': linkCopied } },
  within: { 'repository.forked': copyToFork, 'repository.creating': copyFromTemplate, 'repository.removing': unlinkAll },
  schedules: { gc_lfs: unlinkUnused },
  sshCommands,
  jobs: {
    'lfs.collect': { run: collectObjects, queue: 'cleanup', deadline: 3600 },
    'lfs.remove-bytes': { run: removeBytes, queue: 'cleanup' },
  },
});
