import { signedIn, siteAdmin } from '../../access/requirements.ts';
import { listed, pageOf } from '../../http/paging.ts';
import { empty } from '../../http/responses.ts';
import { type AnyRoute, pageQuery, route } from '../../http/route.ts';
import { array, wireTime } from '../../http/schema.ts';
import { runTask } from './run.ts';
import { Cron } from './schema.ts';

/** The regular tasks, for administrators. */
export const cronRoutes: readonly AnyRoute[] = [
  route({
    method: 'GET',
    path: '/admin/cron',
    id: 'adminCronList',
    summary: 'Lists the scheduled tasks',
    scope: 'admin',
    needs: [signedIn, siteAdmin],
    query: pageQuery,
    responses: { 200: array(Cron) },
    handle: async ({ query }, context) => {
      const { limit, offset } = pageOf(context, query);
      const tasks = await context.schedule.list(context);
      const page = tasks.slice(offset, offset + limit).map(({ name, schedule, next, prev, runs }) => {
        return { name, schedule, next: wireTime(next), prev: wireTime(prev), exec_times: runs };
      });
      return listed(page, tasks.length);
    },
  }),
  route({
    method: 'POST',
    path: '/admin/cron/:task',
    id: 'adminCronRun',
    summary: 'Runs a scheduled task now',
    scope: 'admin',
    needs: [signedIn, siteAdmin],
    parameters: { task: { description: 'name of the task' } },
    responses: { 204: null },
    handle: async ({ params }, context) => {
      await runTask(context, params.task);
      return empty(204);
    },
  }),
];
