import { feature } from '../feature.ts';
import { cronRoutes } from './cron/routes.ts';
import { maintenanceTasks } from './cron/work.ts';
import { processRoutes } from './processes/routes.ts';
import { unadoptedRoutes } from './unadopted/routes.ts';

export const admin = feature({ name: 'admin', routes: [...cronRoutes, ...processRoutes, ...unadoptedRoutes], schedules: maintenanceTasks });
