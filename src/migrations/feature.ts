import { feature } from '../feature.ts';
import { endLostMigrations, endMigrationsOf, expireMigrations } from './cleanup.ts';
import { migrationRoutes } from './routes.ts';

/** Time limit of one migration in seconds; sources with low rate limits make it wait. */
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
