import type { Context } from '../../context.ts';
import type { ActionTask } from '../../database/tables/actions.ts';
import type { RequestParts } from '../../http/route.ts';
import { findJob } from '../jobs/find.ts';
import { findTask } from '../tasks/find.ts';
import { readRuntimeToken } from '../tasks/runtime-token.ts';
import { jobOfToken } from '../tasks/sign-in.ts';
import { ArtifactError } from './errors.ts';

/** A running task, and its run: all jobs of a run share its artifacts. */
export interface TaskOfRun {
  readonly task: ActionTask;
  readonly runId: number;
}

/**
 * The task of a request's token: its runtime token, or, from older runners, its API token.
 * @throws ArtifactError 401
 */
export async function callingTask(context: Context, { headers }: RequestParts): Promise<TaskOfRun> {
  const [, token] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
  if (token === undefined) throw new ArtifactError(401, 'Bad authorization header');
  const grant = (await readRuntimeToken(context, token)) ?? (await jobOfToken(context, token));
  const found = grant && (await runningTask(context, grant.taskId));
  if (!found) throw new ArtifactError(401, 'Error runner api getting task: task is not running');
  return found;
}

/** The task with this id, while it runs. */
export async function runningTask(context: Context, taskId: number): Promise<TaskOfRun | undefined> {
  const task = await findTask(context, taskId);
  if (task?.status !== 'running') return undefined;
  const job = await findJob(context.db, task.job_id);
  return job?.task_id === task.id ? { task, runId: job.run_id } : undefined;
}
