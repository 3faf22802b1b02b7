import { HttpResponse } from '../../http/responses.ts';
import { type AnyRoute, route } from '../../http/route.ts';
import { any } from '../../http/schema.ts';
import { checkHealth, checkReadiness } from './checks.ts';

/** Health, for operators. */
export const healthRoutes: readonly AnyRoute[] = [
  route({
    method: 'GET',
    path: '//api/healthz',
    id: 'getHealth',
    summary: 'Checks the server, its database, git and the disks of its data',
    open: true,
    responses: { 200: any(), 503: any() },
    handle: async (_, context) => {
      const health = await checkHealth(context);
      return new HttpResponse(health, { status: health.status === 'fail' ? 503 : 200 });
    },
  }),
  route({
    method: 'GET',
    path: '//api/livez',
    id: 'getLiveness',
    summary: 'Says that this process serves requests, whatever else is missing; a process that does not is to be restarted',
    open: true,
    responses: { 200: any() },
    handle: async () => ({ status: 'pass' }),
  }),
  route({
    method: 'GET',
    path: '//api/readyz',
    id: 'getReadiness',
    summary: 'Says whether this process takes requests: the database is there, and it is not about to stop',
    open: true,
    responses: { 200: any(), 503: any() },
    handle: async (_, context) => {
      const isReady = await checkReadiness(context);
      return new HttpResponse({ status: isReady ? 'pass' : 'fail' }, { status: isReady ? 200 : 503 });
    },
  }),
];
