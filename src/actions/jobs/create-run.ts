import { randomInt } from 'node:crypto';
import type { Insertable } from 'kysely';
import type { Repository } from '../../access/find-repository.ts';
import { now } from '../../clock.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { ActionJobsTable, ActionRun } from '../../database/tables/actions.ts';
import type { NewJob } from '../workflows/file/jobs.ts';
import type { NewRun } from '../workflows/file/workflow-task.ts';
import { expandInWorker } from '../workflows/in-worker.ts';
import { announceJobs, updateRun } from './change.ts';
import { enterGroupAsJob, enterGroupAsRun } from './concurrency.ts';
import { inputsOfRun } from './contexts.ts';
import { jobsOfRun } from './find.ts';
import { githubContext } from './github-context.ts';
import { nextRunNumber } from './lock.ts';
import { variablesOfRun } from './variables.ts';

/** A run that is to be. */
export interface RunRequest {
  readonly repository: Repository;
  readonly actor: User;
  readonly workflowId: string;
  /** The workflow file. */
  readonly content: string;
  /** The summary of the commit, which `run-name` replaces. */
  readonly title: string;
  readonly ref: string;
  readonly commitSha: string;
  readonly event: string;
  readonly triggerEvent: string;
  /** JSON. */
  readonly payload: string;
  readonly isForkPullRequest: boolean;
  readonly needsApproval: boolean;
  readonly scheduleId: number | null;
}

/** A run with its jobs, ready to be written. */
export interface PreparedRun {
  readonly request: RunRequest;
  readonly expanded: NewRun;
  /** Stand for the id and the number of the run, which are known once it is written. */
  readonly markers: { readonly id: string; readonly number: string };
}

/** Characters of a title. */
const MAX_TITLE = 255;
const MARKER_RANGE = 2 ** 47;
/** Rows that one statement inserts. */
const BATCH = 100;

/**
 * Expands a workflow into the jobs of a run, outside of a transaction.
 * @throws WorkflowError
 */
export async function prepareRun(context: Context, request: RunRequest): Promise<PreparedRun> {
  const { repository } = request;
  // As digits, because expressions may compare them.
  const markers = { id: marker(), number: marker() };
  const source = { ...rowOf(request), id: markers.id, number: markers.number };
  const expanded = await expandInWorker(context, request.content, {
    github: githubContext(context, repository, request.actor, source),
    vars: await variablesOfRun(context, { repository_id: repository.id, owner_id: repository.owner_id }),
    inputs: inputsOfRun(source),
  });
  return { request, expanded, markers };
}

function marker(): string {
  return `8${randomInt(MARKER_RANGE)}${randomInt(MARKER_RANGE)}`;
}

/** Writes a run and its jobs: those that nothing blocks wait for a runner then. Returns the run. */
export async function insertRun(context: Context, prepared: PreparedRun): Promise<ActionRun> {
  return await inTransaction(context, async (context) => {
    const run = await insertRunRow(context, prepared);
    const isBlocked = run.concurrency_group !== '' && (await enterGroupAsRun(context, run));
    await insertJobs(context, run, prepared, isBlocked || run.need_approval);
    const written = await updateRun(context, run.id);
    const jobs = await jobsOfRun(context.db, run.id);
    await announceJobs(context, written ?? run, jobs, { run: 'always', jobs: true });
    return written ?? run;
  });
}

function rowOf(request: RunRequest) {
  return {
    workflow_id: request.workflowId,
    ref: request.ref,
    commit_sha: request.commitSha,
    event: request.event,
    trigger_event: request.triggerEvent,
    event_payload: request.payload,
  };
}

async function insertRunRow({ db, ...context }: Context, { request, expanded, markers }: PreparedRun): Promise<ActionRun> {
  const { repository } = request;
  const number = await nextRunNumber({ ...context, db }, repository.id);
  const time = now();
  const run = await db
    .insertInto('action_runs')
    .values({
      ...rowOf(request),
      repository_id: repository.id,
      owner_id: repository.owner_id,
      number,
      title: '',
      workflow_name: expanded.name,
      trigger_user_id: request.actor.id,
      schedule_id: request.scheduleId,
      status: 'waiting',
      is_fork_pull_request: request.isForkPullRequest,
      need_approval: request.needsApproval,
      raw_concurrency: expanded.rawConcurrency ? JSON.stringify(expanded.rawConcurrency) : '',
      concurrency_cancel: expanded.concurrency?.cancel ?? false,
      created_at: time,
      updated_at: time,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const known = withNumbers(markers, run);
  const named = {
    title: known(expanded.runName || request.title).slice(0, MAX_TITLE),
    concurrency_group: known(expanded.concurrency?.group ?? ''),
  };
  await db.updateTable('action_runs').set(named).where('id', '=', run.id).execute();
  return { ...run, ...named };
}

/** A text with the id and the number of the run in the place of what stood for them. */
function withNumbers(markers: PreparedRun['markers'], { id, number }: Pick<ActionRun, 'id' | 'number'>) {
  return (text: string) => text.replaceAll(markers.id, String(id)).replaceAll(markers.number, String(number));
}

async function insertJobs(context: Context, run: ActionRun, { expanded, markers }: PreparedRun, isBlocked: boolean): Promise<void> {
  const known = withNumbers(markers, run);
  const rows = expanded.jobs.map((job) => jobRow(run, job, known, isBlocked || job.needs.length > 0));
  for (let at = 0; at < rows.length; at += BATCH) {
    await context.db
      .insertInto('action_jobs')
      .values(rows.slice(at, at + BATCH))
      .execute();
  }
  if (isBlocked || !expanded.jobs.some(({ concurrency }) => concurrency)) return;
  for (const job of await jobsOfRun(context.db, run.id)) {
    // It may have been cancelled by the one before it, of the same group.
    const current = await context.db.selectFrom('action_jobs').select('status').where('id', '=', job.id).executeTakeFirstOrThrow();
    if (current.status !== 'waiting' || job.concurrency_group === '') continue;
    if (await enterGroupAsJob(context, job))
      await context.db.updateTable('action_jobs').set({ status: 'blocked' }).where('id', '=', job.id).execute();
  }
}

function jobRow(run: ActionRun, job: NewJob, known: (text: string) => string, isBlocked: boolean): Insertable<ActionJobsTable> {
  const time = now();
  const labels = job.runsOn.map(known);
  return {
    run_id: run.id,
    repository_id: run.repository_id,
    owner_id: run.owner_id,
    commit_sha: run.commit_sha,
    is_fork_pull_request: run.is_fork_pull_request,
    name: known(job.name),
    job_key: job.key,
    needs: JSON.stringify(job.needs),
    has_condition: job.hasCondition,
    runs_on: JSON.stringify(labels),
    labels_key: labelsKey(labels),
    payload: known(job.payload),
    status: isBlocked ? 'blocked' : 'waiting',
    raw_concurrency: job.rawConcurrency ? JSON.stringify(job.rawConcurrency) : '',
    is_concurrency_evaluated: job.concurrency !== undefined,
    concurrency_group: known(job.concurrency?.group ?? ''),
    concurrency_cancel: job.concurrency?.cancel ?? false,
    max_parallel: job.maxParallel,
    is_held: job.maxParallel > 0,
    fail_fast: job.failFast,
    continue_on_error: job.continueOnError,
    permissions: JSON.stringify(job.permissions),
    created_at: time,
    updated_at: time,
  };
}

/** Labels in a fixed order, by which the jobs are found that a runner can take. */
export function labelsKey(labels: readonly string[]): string {
  return [...new Set(labels)].sort().join('\n');
}
