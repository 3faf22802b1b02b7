import type { ActionsPart } from '../part.ts';
import { expireArtifacts } from './expire.ts';
import { olderRoutes } from './older-routes.ts';
import { artifactRoutes } from './routes.ts';
import { serviceRoutes } from './service-routes.ts';

/** Files that runs upload. */
export const artifacts: ActionsPart = {
  routes: [...artifactRoutes, ...serviceRoutes, ...olderRoutes],
  schedules: { cleanup_actions: expireArtifacts },
};
