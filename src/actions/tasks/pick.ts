import { sql } from 'kysely';
import { now } from '../../clock.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { ActionRunner } from '../../database/tables/action-runners.ts';
import type { ActionJob, ActionRun } from '../../database/tables/actions.ts';
import { jobsChanged } from '../jobs/change.ts';
import { findRun } from '../jobs/find.ts';
import { lockRuns } from '../jobs/lock.ts';
import { newJobToken } from './job-token.ts';
import { taskMessage } from './message.ts';
import { insertSteps, shortStepNames, stepNames } from './steps.ts';

/** Other runners may take the jobs of a repository before its lock is granted: how often another job is tried. */
const MAX_ATTEMPTS = 20;

/** Gives the runner the job that has waited longest of those that fit it; undefined where none does. */
export async function pickTask(context: Context, runner: ActionRunner) {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const candidate = await waitingJob(context, runner);
    if (!candidate) return undefined;
    const steps = await stepNames(context, candidate.payload);
    const task = await giveFrom(context, runner, candidate, steps);
    if (task !== undefined) return task ?? undefined;
  }
  return undefined;
}

/** @returns null when the runner cannot get a job any more, undefined when others were faster */
async function giveFrom(context: Context, runner: ActionRunner, candidate: ActionJob, steps: readonly string[]) {
  try {
    return await inTransaction(context, async (context) => {
      if (!(await mayStillHave(context, runner))) return null;
      await lockRuns(context, candidate.repository_id);
      const job = await waitingJob(context, runner, candidate.repository_id);
      const names = job && (job.id === candidate.id ? steps : await shortStepNames(job.payload));
      return job && names && (await assign(context, runner, job, names));
    });
  } catch (error) {
    await postpone(context, candidate);
    throw error;
  }
}

/** Moves a job that cannot be given to a runner behind the others, which must not wait for it. */
async function postpone({ db }: Context, { id }: ActionJob): Promise<void> {
  await db.updateTable('action_jobs').set({ updated_at: now() }).where('id', '=', id).where('status', '=', 'waiting').execute();
}

/** Locks the runner. If it was disabled or deleted meanwhile it gets nothing, and an ephemeral one only one job. */
async function mayStillHave({ db }: Context, { id }: ActionRunner): Promise<boolean> {
  const row = await db
    .updateTable('action_runners')
    .set({ updated_at: now(), given_at: now() })
    .where('id', '=', id)
    .returning(['is_disabled', 'is_ephemeral'])
    .executeTakeFirst();
  if (!row || row.is_disabled) return false;
  if (!row.is_ephemeral) return true;
  return !(await db.selectFrom('action_tasks').select('id').where('runner_id', '=', id).limit(1).executeTakeFirst());
}

/** The longest waiting job whose labels the runner has, at its level, or in one repository. */
async function waitingJob({ db }: Context, runner: ActionRunner, repositoryId?: number): Promise<ActionJob | undefined> {
  // As literals, because partial indexes are not used for parameters.
  let waiting = db.selectFrom('action_jobs').where(sql<boolean>`status = 'waiting' and task_id is null and not is_held`);
  const inRepository = runner.repository_id ?? repositoryId;
  if (inRepository !== undefined) waiting = waiting.where('repository_id', '=', inRepository);
  if (runner.owner_id !== null) waiting = waiting.where('owner_id', '=', runner.owner_id);
  const keys = await waiting.select('labels_key').distinct().execute();
  const labels = new Set(runner.labels);
  const fitting = keys
    .map(({ labels_key }) => labels_key)
    .filter((key) => key === '' || key.split('\n').every((label) => labels.has(label)));
  if (fitting.length === 0) return undefined;
  return await waiting
    .selectAll()
    .where('labels_key', 'in', fitting.slice(0, 500))
    .orderBy('updated_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
}

async function assign(context: Context, runner: ActionRunner, waiting: ActionJob, steps: readonly string[]) {
  const run = await findRun(context.db, waiting.run_id);
  if (!run) return undefined;
  const { token, hash } = newJobToken();
  const taskId = await insertTask(context, runner, waiting, hash);
  await insertSteps(context.db, { id: taskId, repository_id: waiting.repository_id }, steps);
  const time = now();
  const job = await context.db
    .updateTable('action_jobs')
    .set({ task_id: taskId, attempt: waiting.attempt + 1, status: 'running', started_at: time, updated_at: time })
    .where('id', '=', waiting.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await jobsChanged(context, run.id, [job.id], { run: isFirst(run) ? 'always' : 'no', jobs: true });
  return await taskMessage(context, { taskId, token, job, run });
}

function isFirst({ started_at }: ActionRun): boolean {
  return started_at === 0;
}

async function insertTask({ db }: Context, runner: ActionRunner, job: ActionJob, tokenHash: string): Promise<number> {
  const time = now();
  const { repository_id, owner_id, commit_sha, is_fork_pull_request } = job;
  const { id } = await db
    .insertInto('action_tasks')
    .values({
      job_id: job.id,
      attempt: job.attempt + 1,
      runner_id: runner.id,
      repository_id,
      owner_id,
      commit_sha,
      is_fork_pull_request,
      status: 'running',
      token_hash: tokenHash,
      started_at: time,
      created_at: time,
      updated_at: time,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
