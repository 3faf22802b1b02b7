import type { ActionsPart } from '../part.ts';
import { protocolRoutes } from '../protocol/routes.ts';
import { expireLogs } from './logs/expire.ts';
import { logRoutes } from './logs/routes.ts';
import { stopEndlessTasks, stopLostTasks } from './lost.ts';
import { jobOfToken } from './sign-in.ts';

/** Attempts of runners at jobs, their logs, and the protocol of runners. */
export const tasks: ActionsPart = {
  provides: { jobOfToken },
  routes: [...protocolRoutes, ...logRoutes],
  schedules: { stop_zombie_tasks: stopLostTasks, stop_endless_tasks: stopEndlessTasks, cleanup_actions: expireLogs },
};
