import { each, feature } from '../feature.ts';
import { enqueuePushes } from './push/push-mirrors.ts';
import { syncPushMirror } from './push/sync.ts';
import { mirrorRoutes } from './routes.ts';
import { enqueueAllDue } from './schedule.ts';
import { syncMirror } from './sync.ts';

/** Seconds for a repository with its wiki and LFS objects. Each transfer has a deadline of its own, `migrations.timeout`. */
const DEADLINE = 21 * 86_400;

const WRITES = ['refs.changed', 'wiki.page-created', 'wiki.page-edited', 'wiki.page-deleted'] as const;

export const mirrors = feature({
  name: 'mirrors',
  routes: mirrorRoutes,
  on: { 'push mirrors': each(WRITES, ({ payload }, context) => enqueuePushes(context, payload.repositoryId, 'sync on commit')) },
  jobs: {
    'mirror.sync': { run: syncMirror, queue: 'mirrors', deadline: DEADLINE },
    'push-mirror.sync': { run: syncPushMirror, queue: 'mirrors', deadline: DEADLINE },
  },
  schedules: { update_mirrors: enqueueAllDue },
});
