import { feature } from '../feature.ts';
import { endLostMigrations, endMigrationsOf, expireMigrations } from './cleanup.ts';
import { migrationRoutes } from './routes.ts';

/** Seconds for one migration, which waits where its source lets few requests in. */
const DEADLINE = 14 * 86_400;

export const migrations = feature({
  name: 'migrations',
  routes: migrationRoutes,
  within: { 'user.purging': endMigrationsOf },
  jobs: {
    'repository.migrate': {
      run: async (...call) => (await import('./run.ts')).runMigration(...call),
      queue: 'migrations',
      deadline: DEADLINE,
    },
  },
  schedules: { stop_zombie_tasks: endLostMigrations, repo_health_check: expireMigrations },
});
