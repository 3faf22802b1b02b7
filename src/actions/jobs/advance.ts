import { now } from '../../clock.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { ActionJob, ActionRun, ActionStatus } from '../../database/tables/actions.ts';
import type { RawConcurrency } from '../workflows/file/concurrency.ts';
import { WorkflowError } from '../workflows/file/error.ts';
import { evaluateInWorker } from '../workflows/in-worker.ts';
import { ANNOUNCE, jobsChanged, updateRun } from './change.ts';
import { enterGroupAsJob, isGroupBusy } from './concurrency.ts';
import { contextsOf } from './contexts.ts';
import { findRun, jobsOfRun } from './find.ts';
import { lockRuns } from './lock.ts';
import { isDone } from './status.ts';

/** Maximum rounds of one call: each evaluates the concurrency of the jobs that the one before found. */
const MAX_ROUNDS = 20;

/** Starts, or skips, the jobs of a run that nothing blocks any more, and those that waited for its concurrency groups. */
export async function advanceRun({ runId }: { runId: number }, context: Context): Promise<void> {
  const unusable = new Set<number>();
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const pending = await inTransaction(context, (context) => advance(context, runId));
    const evaluable = pending.filter(({ id }) => !unusable.has(id));
    if (evaluable.length === 0) return;
    for (const job of evaluable) if (!(await evaluateConcurrencyOf(context, job))) unusable.add(job.id);
  }
}

/** @returns the jobs whose concurrency has to be evaluated before they can start */
async function advance(context: Context, runId: number): Promise<ActionJob[]> {
  const { db } = context;
  const before = await findRun(db, runId);
  if (!before) return [];
  await lockRuns(context, before.repository_id);
  const run = await updateRun(context, runId);
  if (!run) return [];
  const pending = await startJobs(context, run);
  const groups = new Set<string>();
  if (isDone(run.status)) groups.add(run.concurrency_group);
  for (const job of await jobsOfRun(db, runId)) if (isDone(job.status)) groups.add(job.concurrency_group);
  groups.add(run.concurrency_group);
  groups.delete('');
  for (const group of groups) pending.push(...(await startNextOfGroup(context, run.repository_id, group)));
  return pending;
}

async function startNextOfGroup(context: Context, repositoryId: number, group: string): Promise<ActionJob[]> {
  const blocked = { repository_id: repositoryId, concurrency_group: group };
  const { db } = context;
  const run = await db
    .selectFrom('action_runs')
    .selectAll()
    .where('repository_id', '=', blocked.repository_id)
    .where('concurrency_group', '=', group)
    .where('concurrency_group', '<>', '')
    .where('status', '=', 'blocked')
    .where('need_approval', '=', false)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const job = await db
    .selectFrom('action_jobs')
    .innerJoin('action_runs', 'action_runs.id', 'action_jobs.run_id')
    .select('action_jobs.run_id')
    .where('action_jobs.repository_id', '=', blocked.repository_id)
    .where('action_jobs.concurrency_group', '=', group)
    .where('action_jobs.concurrency_group', '<>', '')
    .where('action_jobs.status', '=', 'blocked')
    // A run that needs approval must not block others of the group.
    .where('action_runs.need_approval', '=', false)
    .orderBy('action_jobs.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const next = run ?? (job && (await findRun(db, job.run_id)));
  return next ? await startJobs(context, next) : [];
}

/** Starts, or skips, the jobs of a run where possible. Returns the jobs whose concurrency is not known yet. */
async function startJobs(context: Context, run: ActionRun): Promise<ActionJob[]> {
  if (run.need_approval) return [];
  if (run.status === 'blocked' && (await isGroupBusy(context, run))) return [];
  const jobs = await jobsOfRun(context.db, run.id);
  const statuses = new Map(jobs.map((job) => [job.id, job.status]));
  const changed: number[] = [];
  const pending: ActionJob[] = [];
  for (let isMoving = true; isMoving; ) {
    isMoving = false;
    for (const job of jobs.filter(({ id }) => statuses.get(id) === 'blocked')) {
      if (pending.includes(job)) continue;
      const next = nextStatus(job, jobs, statuses);
      if (!next) continue;
      if (next === 'waiting' && job.raw_concurrency !== '' && !job.is_concurrency_evaluated) {
        pending.push(job);
        continue;
      }
      if (next === 'waiting' && (await enterGroupAsJob(context, job))) continue;
      await setStatus(context, job, next);
      statuses.set(job.id, next);
      changed.push(job.id);
      isMoving = true;
    }
  }
  await jobsChanged(context, run.id, changed, ANNOUNCE);
  return pending;
}

/** The new status of a blocked job; undefined while it stays blocked. */
function nextStatus(
  job: ActionJob,
  jobs: readonly ActionJob[],
  statuses: ReadonlyMap<number, ActionStatus>,
): 'waiting' | 'skipped' | undefined {
  const needed = jobs.filter(({ job_key: key }) => job.needs.includes(key)).map(({ id }) => statuses.get(id) ?? 'blocked');
  if (!needed.every(isDone)) return undefined;
  // With a condition, the runner decides.
  return job.has_condition || needed.every((status) => status === 'success') ? 'waiting' : 'skipped';
}

async function setStatus({ db }: Context, job: ActionJob, status: ActionStatus): Promise<void> {
  await db
    .updateTable('action_jobs')
    .set({ status, is_held: job.max_parallel > 0, updated_at: now() })
    .where('id', '=', job.id)
    .where('status', '=', 'blocked')
    .execute();
}

/** Evaluates the group of a job, outside a transaction. Returns whether that worked: otherwise the job stays blocked. */
async function evaluateConcurrencyOf(context: Context, job: ActionJob): Promise<boolean> {
  const run = await findRun(context.db, job.run_id);
  const contexts = run && (await contextsOf(context, run, job));
  if (!contexts) return false;
  try {
    const raw = JSON.parse(job.raw_concurrency) as RawConcurrency;
    const { group, cancel } = await evaluateInWorker(context, { raw, payload: job.payload, contexts });
    await context.db
      .updateTable('action_jobs')
      .set({ concurrency_group: group, concurrency_cancel: cancel, is_concurrency_evaluated: true })
      .where('id', '=', job.id)
      .where('attempt', '=', job.attempt)
      .execute();
    return true;
  } catch (error) {
    if (!(error instanceof WorkflowError)) throw error;
    context.log.info({ job: job.id, problem: error.message }, 'the concurrency of a job cannot be evaluated: it stays blocked');
    return false;
  }
}
