import { canRead, signedIn } from '../../../access/requirements.ts';
import { repositoryRoute } from '../../../access/routes.ts';
import { contentDisposition } from '../../../http/content-disposition.ts';
import { notFound } from '../../../http/errors.ts';
import { pathId } from '../../../http/path-id.ts';
import { raw } from '../../../http/responses.ts';
import type { AnyRoute } from '../../../http/route.ts';
import { file } from '../../../http/schema.ts';
import { findJob, findRun } from '../../jobs/find.ts';
import { findTask } from '../find.ts';
import { openLog } from './read.ts';

/** The logs of jobs. */
export const logRoutes: readonly AnyRoute[] = [
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/actions/jobs/:job_id/logs',
    id: 'downloadActionsRunJobLogs',
    summary: 'Downloads the log of a job',
    scope: 'repository',
    needs: [signedIn, canRead('actions')],
    parameters: { job_id: { type: 'integer', description: 'id of the job' } },
    semaphore: 'downloads',
    responses: { 200: file() },
    produces: ['text/plain'],
    handle: async ({ repository, params }, context) => {
      const id = pathId(params.job_id);
      const job = await findJob(context.db, id);
      if (job?.repository_id !== repository.id) throw notFound([`run job with id ${id}: resource does not exist`]);
      if (job.task_id === null) throw notFound(['job not started']);
      const [task, run] = [await findTask(context, job.task_id), await findRun(context.db, job.run_id)];
      if (!task || !run) throw notFound(['logs not found']);
      if (task.log_expired) throw notFound(['logs have been cleaned up']);
      const log = await openLog(context, task);
      if (!log) throw notFound(['logs not found']);
      const name = `${run.workflow_id.replace(/(?<=.)\..*$/, '')}-${job.name}-${task.id}.log`;
      const headers = { 'content-disposition': contentDisposition('attachment', name), 'content-length': String(log.size) };
      return raw(log.stream, 'text/plain; charset=utf-8', { headers });
    },
  }),
];
