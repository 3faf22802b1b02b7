import { canRead, signedIn } from '../../../access/requirements.ts';
import { repositoryRoute } from '../../../access/routes.ts';
import { notFound } from '../../../http/errors.ts';
import { pathId } from '../../../http/path-id.ts';
import type { AnyRoute } from '../../../http/route.ts';
import { file } from '../../../http/schema.ts';
import { findJob } from '../../jobs/find.ts';
import { downloadLog } from './download.ts';

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
      return await downloadLog(context, job);
    },
  }),
];
