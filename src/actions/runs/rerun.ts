import { now } from '../../clock.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { ActionJob, ActionRun } from '../../database/tables/actions.ts';
import { badRequest, notFound } from '../../http/errors.ts';
import { ANNOUNCE, announceJobs, updateRun } from '../jobs/change.ts';
import { enterGroupAsJob, enterGroupAsRun } from '../jobs/concurrency.ts';
import { contextsOf } from '../jobs/contexts.ts';
import { findRun, jobsOfRun } from '../jobs/find.ts';
import { lockRuns } from '../jobs/lock.ts';
import { durationOf, isDone } from '../jobs/status.ts';
import { disabledWorkflows } from '../workflows/disabled.ts';
import type { Concurrency, RawConcurrency } from '../workflows/file/concurrency.ts';
import { evaluateInWorker } from '../workflows/in-worker.ts';

/** The jobs of a run to rerun: all, the failed ones, or one; with those that need them. */
export type RerunChoice = 'all' | 'failed' | { readonly jobId: number };

/**
 * Reruns jobs of a run.
 * @returns those jobs
 * @throws HttpError 400 when it is not finished, or its workflow is disabled; 404 for a job of another run
 */
export async function rerun(context: Context, run: ActionRun, choice: RerunChoice): Promise<ActionJob[]> {
  const chosen = choose(await jobsOfRun(context.db, run.id), choice);
  if (chosen.length === 0) return [];
  if (!isDone(run.status)) throw badRequest('this workflow run is not done');
  if ((await disabledWorkflows(context, run.repository_id)).has(run.workflow_id))
    throw badRequest(`workflow ${run.workflow_id} is disabled`);
  const groups = await groupsOf(context, run, chosen);
  return await inTransaction(context, async (context) => {
    await lockRuns(context, run.repository_id);
    const current = await findRun(context.db, run.id);
    if (!current) throw notFound();
    if (!isDone(current.status)) throw badRequest('this workflow run is not done');
    return await restart(context, current, chosen, groups);
  });
}

function choose(jobs: readonly ActionJob[], choice: RerunChoice): ActionJob[] {
  if (choice === 'all') return [...jobs];
  if (choice === 'failed')
    return withDependents(
      jobs,
      jobs.filter(({ status }) => status === 'failure' || status === 'cancelled'),
    );
  const job = jobs.find(({ id }) => id === choice.jobId);
  if (!job) throw notFound([`workflow job with id ${choice.jobId}`]);
  return withDependents(jobs, [job]);
}

/** Jobs, and all that need them, directly or not. */
function withDependents(jobs: readonly ActionJob[], chosen: readonly ActionJob[]): ActionJob[] {
  const ids = new Set(chosen.map(({ id }) => id));
  const keys = new Set(chosen.map((job) => job.job_key));
  for (let before = -1; before !== ids.size; ) {
    before = ids.size;
    for (const job of jobs) {
      if (ids.has(job.id) || !job.needs.some((need) => keys.has(need))) continue;
      ids.add(job.id);
      keys.add(job.job_key);
    }
  }
  return jobs.filter(({ id }) => ids.has(id));
}

/** The groups of the jobs that start at once, by id; evaluated again, outside of the transaction. */
async function groupsOf(context: Context, run: ActionRun, chosen: readonly ActionJob[]): Promise<Map<number, Concurrency>> {
  const groups = new Map<number, Concurrency>();
  const keys = new Set(chosen.map((job) => job.job_key));
  for (const job of chosen) {
    if (job.raw_concurrency === '' || job.needs.some((need) => keys.has(need))) continue;
    const contexts = await contextsOf(context, run, job);
    if (!contexts) continue;
    const raw = JSON.parse(job.raw_concurrency) as RawConcurrency;
    groups.set(job.id, await evaluateInWorker(context, { raw, payload: job.payload, contexts }));
  }
  return groups;
}

async function restart(
  context: Context,
  run: ActionRun,
  chosen: readonly ActionJob[],
  groups: ReadonlyMap<number, Concurrency>,
): Promise<ActionJob[]> {
  const time = now();
  await context.db
    .updateTable('action_runs')
    .set({
      started_at: 0,
      stopped_at: 0,
      previous_duration: run.previous_duration + durationOf(run, time),
      attempt: run.attempt + 1,
      status: 'waiting',
      updated_at: time,
    })
    .where('id', '=', run.id)
    .execute();
  const isBlocked = run.concurrency_group !== '' && (await enterGroupAsRun(context, run));
  const keys = new Set(chosen.map((job) => job.job_key));
  for (const job of chosen) {
    const waits = isBlocked || run.need_approval || job.needs.some((need) => keys.has(need));
    await restartJob(context, job, waits, groups.get(job.id));
  }
  const current = await updateRun(context, run.id);
  const jobs = (await jobsOfRun(context.db, run.id)).filter(({ id }) => chosen.some((one) => one.id === id));
  await announceJobs(context, current ?? run, jobs, { ...ANNOUNCE, run: 'always' });
  return jobs;
}

async function restartJob(context: Context, job: ActionJob, waits: boolean, group: Concurrency | undefined): Promise<void> {
  const time = now();
  const restarted = await context.db
    .updateTable('action_jobs')
    .set({
      task_id: null,
      status: waits ? 'blocked' : 'waiting',
      is_held: job.max_parallel > 0,
      started_at: 0,
      stopped_at: 0,
      concurrency_group: group?.group ?? '',
      concurrency_cancel: group?.cancel ?? false,
      is_concurrency_evaluated: group !== undefined,
      updated_at: time,
    })
    .where('id', '=', job.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  if (waits || restarted.concurrency_group === '' || !(await enterGroupAsJob(context, restarted))) return;
  await context.db.updateTable('action_jobs').set({ status: 'blocked' }).where('id', '=', job.id).execute();
}
