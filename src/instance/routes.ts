import { redirectTo } from '../http/answers.ts';
import { notFound } from '../http/errors.ts';
import { type AnyRoute, route } from '../http/route.ts';
import { ServerVersion } from './schema.ts';

/** Routes about the instance itself. */
export const instanceRoutes: readonly AnyRoute[] = [
  route({
    method: 'GET',
    path: '/version',
    id: 'getVersion',
    summary: 'Gets the running version',
    tag: 'miscellaneous',
    answers: { 200: ServerVersion },
    handle: async (_, { settings }) => ({ version: settings.instance.apiVersion, Version: settings.instance.apiVersion }),
  }),
  route({
    method: 'GET',
    path: '/swagger',
    id: 'redirectToDescription',
    summary: 'Leads to the interface description',
    hidden: true,
    answers: { 302: null },
    handle: async (_, { settings }) => {
      if (!settings.api.docsEnabled) throw notFound();
      return redirectTo(`${settings.server.rootUrl}api/swagger`);
    },
  }),
];
