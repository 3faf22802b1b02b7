import type { Insertable } from 'kysely';
import { now } from '../../clock.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { ActionJob, ActionJobsTable, ActionRun } from '../../database/tables/actions.ts';
import type { NewJob } from '../workflows/file/jobs.ts';
import { announceRuns, updateRun } from './change.ts';
import { enterGroupAsJob, enterGroupAsRun } from './concurrency.ts';
import { jobsOfRun } from './find.ts';
import { nextRunNumbers } from './lock.ts';
import { type PreparedRun, rowOfRequest } from './prepare-run.ts';
import { statusOfRun } from './status.ts';

/** Length limit of a title in characters. */
const MAX_TITLE = 255;
/** Rows that one statement inserts. */
const BATCH = 100;

/** Inserts a run and its jobs: those that nothing blocks wait for a runner then. Returns the run. */
export async function insertRun(context: Context, prepared: PreparedRun): Promise<ActionRun> {
  const [run] = await insertRuns(context, [prepared]);
  if (!run) throw new Error('a run was not written');
  return run;
}

/** {@link insertRun} for several runs of one repository, in their order. */
export async function insertRuns(context: Context, prepared: readonly PreparedRun[]): Promise<ActionRun[]> {
  if (prepared.length === 0) return [];
  return await inTransaction(context, async (context) => {
    const runs = await insertRunRows(context, prepared);
    // Runs and jobs of concurrency groups depend on existing rows: earlier ones are inserted first.
    let rows: Insertable<ActionJobsTable>[] = [];
    const flush = async () => {
      await insertJobRows(context, rows);
      rows = [];
    };
    for (const { run, of } of runs) {
      const isGrouped = hasGroups(of);
      if (isGrouped) await flush();
      const isBlocked = run.concurrency_group !== '' && (await enterGroupAsRun(context, run));
      rows.push(...jobRows(run, of, isBlocked));
      if (!isGrouped) continue;
      await flush();
      if (!isBlocked && !run.need_approval) await enterGroups(context, run.id);
      await updateRun(context, run.id);
    }
    await flush();
    const written = await writtenRuns(context, runs);
    await announceRuns(context, written, { run: 'always', jobs: true });
    return written.map(({ run }) => run);
  });
}

function hasGroups({ expanded }: PreparedRun): boolean {
  return expanded.concurrency !== undefined || expanded.jobs.some(({ rawConcurrency }) => rawConcurrency);
}

async function insertRunRows(context: Context, prepared: readonly PreparedRun[]): Promise<{ run: ActionRun; of: PreparedRun }[]> {
  const repositoryId = prepared[0]?.request.repository.id ?? 0;
  const first = await nextRunNumbers(context, repositoryId, prepared.length);
  const rows = prepared.map((of, at) => runRow(of, first + at));
  const written: ActionRun[] = [];
  for (let at = 0; at < rows.length; at += BATCH) {
    const batch = rows.slice(at, at + BATCH);
    written.push(...(await context.db.insertInto('action_runs').values(batch).returningAll().execute()));
  }
  const byNumber = new Map(written.map((run) => [run.number, run]));
  const found: { run: ActionRun; of: PreparedRun }[] = [];
  for (const [at, of] of prepared.entries()) {
    const run = byNumber.get(first + at);
    if (!run) throw new Error('a run was not written');
    found.push({ run: await named(context, run, of), of });
  }
  return found;
}

function runRow({ request, expanded }: PreparedRun, number: number) {
  const time = now();
  const isWaiting = !request.needsApproval;
  return {
    ...rowOfRequest(request),
    repository_id: request.repository.id,
    owner_id: request.repository.owner_id,
    number,
    title: (expanded.runName || request.title).slice(0, MAX_TITLE),
    workflow_name: expanded.name,
    trigger_user_id: request.actor.id,
    schedule_id: request.scheduleId,
    // Concurrency groups may change it.
    status: statusOfRun(
      expanded.jobs.map(({ key, needs }) => ({
        status: isWaiting && needs.length === 0 ? ('waiting' as const) : ('blocked' as const),
        job_key: key,
        fail_fast: false,
        continue_on_error: false,
      })),
    ),
    is_fork_pull_request: request.isForkPullRequest,
    need_approval: request.needsApproval,
    raw_concurrency: expanded.rawConcurrency ? JSON.stringify(expanded.rawConcurrency) : '',
    concurrency_group: expanded.concurrency?.group ?? '',
    concurrency_cancel: expanded.concurrency?.cancel ?? false,
    created_at: time,
    updated_at: time,
  };
}

/** Inserts the id and the number of a run into its title and its group, if these contain them. */
async function named({ db }: Context, run: ActionRun, { request, expanded, markers }: PreparedRun): Promise<ActionRun> {
  const known = withNumbers(markers, run);
  const names = {
    title: known(expanded.runName || request.title).slice(0, MAX_TITLE),
    concurrency_group: known(run.concurrency_group),
  };
  if (names.title === run.title && names.concurrency_group === run.concurrency_group) return run;
  await db.updateTable('action_runs').set(names).where('id', '=', run.id).execute();
  return { ...run, ...names };
}

/** A text with the id and the number of the run instead of the placeholders. */
function withNumbers(markers: PreparedRun['markers'], { id, number }: Pick<ActionRun, 'id' | 'number'>) {
  return (text: string) => text.replaceAll(markers.id, String(id)).replaceAll(markers.number, String(number));
}

function jobRows(run: ActionRun, { expanded, markers }: PreparedRun, isBlocked: boolean): Insertable<ActionJobsTable>[] {
  const known = withNumbers(markers, run);
  return expanded.jobs.map((job) => jobRow(run, job, known, isBlocked || run.need_approval || job.needs.length > 0));
}

async function insertJobRows({ db }: Context, rows: readonly Insertable<ActionJobsTable>[]): Promise<void> {
  for (let at = 0; at < rows.length; at += BATCH)
    await db
      .insertInto('action_jobs')
      .values(rows.slice(at, at + BATCH))
      .execute();
}

/** Adds the jobs of a run to their groups, one after the other. */
async function enterGroups(context: Context, runId: number): Promise<void> {
  for (const job of await jobsOfRun(context.db, runId)) {
    // The one before it, of the same group, may have cancelled it.
    const current = await context.db.selectFrom('action_jobs').select('status').where('id', '=', job.id).executeTakeFirstOrThrow();
    if (current.status !== 'waiting' || job.concurrency_group === '') continue;
    if (await enterGroupAsJob(context, job))
      await context.db.updateTable('action_jobs').set({ status: 'blocked' }).where('id', '=', job.id).execute();
  }
}

/** The runs with their current jobs. */
async function writtenRuns({ db }: Context, runs: readonly { run: ActionRun; of: PreparedRun }[]) {
  const ids = runs.map(({ run }) => run.id);
  const grouped = runs.filter(({ of }) => hasGroups(of)).map(({ run }) => run.id);
  const current = grouped.length === 0 ? [] : await db.selectFrom('action_runs').selectAll().where('id', 'in', grouped).execute();
  const jobs = Map.groupBy(
    await db.selectFrom('action_jobs').selectAll().where('run_id', 'in', ids).orderBy('id').execute(),
    (job) => job.run_id,
  );
  return runs.map(({ run }): { run: ActionRun; jobs: readonly ActionJob[] } => ({
    run: current.find(({ id }) => id === run.id) ?? run,
    jobs: jobs.get(run.id) ?? [],
  }));
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

/** Labels in a fixed order: runners find matching jobs by it. */
export function labelsKey(labels: readonly string[]): string {
  return [...new Set(labels)].sort().join('\n');
}
