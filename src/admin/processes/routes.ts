import { signedIn, siteAdmin } from '../../access/requirements.ts';
import { listed, pageOf } from '../../http/paging.ts';
import { type AnyRoute, pageQuery, route } from '../../http/route.ts';
import { array, wireTime } from '../../http/schema.ts';
import { listProcesses } from './processes.ts';
import { Process } from './schema.ts';

/** The running processes, for administrators. */
export const processRoutes: readonly AnyRoute[] = [
  route({
    method: 'GET',
    path: '/admin/processes',
    id: 'adminListProcesses',
    summary: 'Lists the running processes of the instance, and what each is doing',
    scope: 'admin',
    needs: [signedIn, siteAdmin],
    query: pageQuery,
    responses: { 200: array(Process) },
    handle: async ({ query }, context) => {
      const { limit, offset } = pageOf(context, query);
      const all = await listProcesses(context);
      const page = all.slice(offset, offset + limit).map(({ started_at, heartbeat_at, load, jobs, ...row }) => ({
        ...row,
        started: wireTime(started_at),
        heartbeat: wireTime(Math.floor(heartbeat_at / 1000)),
        cpu: load?.cpu ?? null,
        busy: load?.busy ?? null,
        memory: load?.memory ?? null,
        jobs: jobs.map(({ type, startedAt, attempts, progress }) => ({ type, started: wireTime(startedAt), attempt: attempts, progress })),
      }));
      return listed(page, all.length);
    },
  }),
];
