import { setTimeout as sleep } from 'node:timers/promises';
import { signedIn, siteAdmin } from '../../access/requirements.ts';
import { notFound } from '../../http/errors.ts';
import { listed, pageOf } from '../../http/paging.ts';
import { empty } from '../../http/responses.ts';
import { type AnyRoute, pageQuery, route } from '../../http/route.ts';
import { array, wireTime } from '../../http/schema.ts';
import { isTaskName } from '../../jobs/tasks.ts';
import { Cron } from './schema.ts';

/** How long a response waits for a task that was started; a longer one goes on without. */
const WAIT_MS = 5000;

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
      if (!isTaskName(params.task)) throw notFound();
      await Promise.race([context.schedule.run(context, params.task), sleep(WAIT_MS, undefined, { ref: false })]);
      return empty(204);
    },
  }),
];
