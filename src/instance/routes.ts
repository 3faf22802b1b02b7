import { type AnyRoute, route } from '../http/route.ts';
import { healthRoutes } from './health/routes.ts';
import { nodeInfoRoutes } from './nodeinfo/routes.ts';
import { ServerVersion } from './schema.ts';
import { settingsRoutes } from './settings/routes.ts';
import { templateRoutes } from './templates/routes.ts';

/** Routes about the instance itself. */
export const instanceRoutes: readonly AnyRoute[] = [
  route({
    method: 'GET',
    path: '/version',
    id: 'getVersion',
    summary: 'Gets the running version',
    tag: 'miscellaneous',
    responses: { 200: ServerVersion },
    handle: async (_, { settings }) => ({ version: settings.instance.apiVersion, Version: settings.instance.apiVersion }),
  }),
  ...settingsRoutes,
  ...templateRoutes,
  ...nodeInfoRoutes,
  ...healthRoutes,
];
