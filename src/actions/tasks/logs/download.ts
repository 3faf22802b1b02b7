import type { Context } from '../../../context.ts';
import type { ActionJob } from '../../../database/tables/actions.ts';
import { contentDisposition } from '../../../http/content-disposition.ts';
import { notFound } from '../../../http/errors.ts';
import { type HttpResponse, raw } from '../../../http/responses.ts';
import { findRun } from '../../jobs/find.ts';
import { findTask } from '../find.ts';
import { openLog } from './read.ts';

/**
 * The whole log of the last attempt at a job.
 * @throws HttpError 404 before the job has begun, and when the log is deleted
 */
export async function downloadLog(context: Context, job: ActionJob): Promise<HttpResponse> {
  if (job.task_id === null) throw notFound(['job not started']);
  const [task, run] = [await findTask(context, job.task_id), await findRun(context.db, job.run_id)];
  if (!task || !run) throw notFound(['logs not found']);
  if (task.log_expired) throw notFound(['logs have been cleaned up']);
  const log = await openLog(context, task);
  if (!log) throw notFound(['logs not found']);
  const name = `${run.workflow_id.replace(/(?<=.)\..*$/s, '')}-${job.name}-${task.id}.log`;
  const headers = { 'content-disposition': contentDisposition('attachment', name), 'content-length': String(log.size) };
  return raw(log.stream, 'text/plain; charset=utf-8', { headers });
}
