import { findRepository } from '../../access/find-repository.ts';
import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import type { ActionJob, ActionRun } from '../../database/tables/actions.ts';
import { bumpTasksVersion } from '../tasks/version.ts';
import { type ChangedRun, setStatusesOfJobs } from './commit-status.ts';
import { findRun, jobsOfRun } from './find.ts';
import { admitJobs } from './parallel.ts';
import { isDone, statusOfRun } from './status.ts';

/** Which events are emitted for changed jobs. */
export interface Announcement {
  /** Whether `workflow_run` is emitted: always, when the run is done now, or not. */
  readonly run: 'always' | 'when-done' | 'no';
  /** Whether `workflow_job` is emitted for each job. */
  readonly jobs: boolean;
}

/** With events for the jobs, and for the run once it is done. */
export const ANNOUNCE: Announcement = { run: 'when-done', jobs: true };

/**
 * Updates the run after rows of its jobs were written, in the same transaction, under `lockRuns`: its state and times, the
 * commit statuses, the events, and the next jobs. Returns the current run.
 * @param ids the jobs that changed
 */
export async function jobsChanged(
  context: Context,
  runId: number,
  ids: readonly number[],
  announcement: Announcement = ANNOUNCE,
): Promise<ActionRun | undefined> {
  const run = await updateRun(context, runId);
  if (!run || ids.length === 0) return run;
  const jobs = (await jobsOfRun(context.db, runId)).filter(({ id }) => ids.includes(id));
  await announceJobs(context, run, jobs, announcement);
  if (jobs.some(({ status }) => isDone(status))) await context.jobs.add(context, 'actions.advance', { runId }, { key: `run ${runId}` });
  return run;
}

/** Sets the state and the times of a run from those of its jobs. */
export async function updateRun(context: Context, runId: number): Promise<ActionRun | undefined> {
  const { db } = context;
  const run = await findRun(db, runId);
  if (!run) return undefined;
  const jobs = await db
    .selectFrom('action_jobs')
    .select(['status', 'job_key', 'fail_fast', 'continue_on_error'])
    .where('run_id', '=', runId)
    .execute();
  const status = statusOfRun(jobs);
  const time = now();
  return await db
    .updateTable('action_runs')
    .set({
      status,
      started_at: run.started_at === 0 && status === 'running' ? time : run.started_at,
      stopped_at: run.stopped_at === 0 && isDone(status) ? time : run.stopped_at,
      updated_at: time,
    })
    .where('id', '=', runId)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Writes the commit statuses of jobs, wakes runners for waiting ones, and emits the events of the announcement. */
export async function announceJobs(
  context: Context,
  run: ActionRun,
  jobs: readonly ActionJob[],
  announcement: Announcement,
): Promise<void> {
  await announceRuns(context, [{ run, jobs }], announcement);
}

/** {@link announceJobs} for several runs of one repository. */
export async function announceRuns(context: Context, runs: readonly ChangedRun[], announcement: Announcement): Promise<void> {
  const repository = runs[0] && (await findRepository(context.db, runs[0].run.repository_id));
  if (!repository) return;
  await setStatusesOfJobs(context, repository, runs);
  for (const changed of runs) await announce(context, changed, announcement);
}

async function announce(context: Context, { run, jobs }: ChangedRun, announcement: Announcement): Promise<void> {
  const hasAdmitted = jobs.some((job) => job.max_parallel > 0) && (await admitJobs(context, run.id));
  if (hasAdmitted || jobs.some(({ status }) => status === 'waiting')) await bumpTasksVersion(context, run);
  const base = { repositoryId: run.repository_id, runId: run.id, actorId: run.trigger_user_id };
  if (announcement.jobs) {
    for (const { id, status } of jobs) await context.events.emit(context, 'workflow-job.changed', { ...base, jobId: id, status });
  }
  if (announcement.run === 'always' || (announcement.run === 'when-done' && isDone(run.status)))
    await context.events.emit(context, 'workflow-run.changed', { ...base, status: run.status });
}
