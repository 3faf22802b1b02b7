import type { Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import type { ActionJob, ActionRun } from '../../database/tables/actions.ts';
import { notFound } from '../../http/errors.ts';
import { pathId } from '../../http/path-id.ts';
import { findJob, findRun } from '../jobs/find.ts';

interface RunInput {
  readonly repository: Repository;
  readonly params: { readonly run: string };
}

/**
 * The run that a path names.
 * @throws HttpError 404, also for a run of another repository
 */
export async function runOf({ repository, params }: RunInput, { db }: Pick<Context, 'db'>): Promise<ActionRun> {
  const id = pathId(params.run);
  const run = await findRun(db, id);
  if (run?.repository_id !== repository.id) throw notFound([`run with id ${id}: resource does not exist`]);
  return run;
}

/**
 * The job that a path names.
 * @throws HttpError 404, also for a job of another repository
 */
export async function jobOf(
  { repository, params }: { readonly repository: Repository; readonly params: { readonly job_id: string } },
  { db }: Pick<Context, 'db'>,
): Promise<ActionJob> {
  const job = await findJob(db, pathId(params.job_id));
  if (job?.repository_id !== repository.id) throw notFound(['resource does not exist']);
  return job;
}
