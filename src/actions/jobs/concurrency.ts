import type { Context } from '../../context.ts';
import type { ActionJob, ActionRun, ActionStatus } from '../../database/tables/actions.ts';
import { endJobs } from './cancel.ts';

/*
 * Runs and jobs of one concurrency group of a repository: one of them runs, one waits for it, and a new one replaces the waiting one.
 * A run and a job may be in the same group. The caller holds `lockRuns`.
 */

type GroupOf = Pick<ActionRun, 'repository_id' | 'concurrency_group' | 'concurrency_cancel'>;

/** Whether something of the group is running. */
export async function isGroupBusy({ db }: Context, of: GroupOf): Promise<boolean> {
  if (of.concurrency_group === '' || of.concurrency_cancel) return false;
  const inGroup = <T extends 'action_runs' | 'action_jobs'>(table: T) =>
    db
      .selectFrom(table as 'action_jobs')
      .select('id')
      .where('repository_id', '=', of.repository_id)
      .where('concurrency_group', '=', of.concurrency_group)
      .where('concurrency_group', '<>', '')
      .where('status', '=', 'running')
      .limit(1)
      .executeTakeFirst();
  return ((await inGroup('action_runs')) ?? (await inGroup('action_jobs'))) !== undefined;
}

/**
 * Makes room in the group for a run: cancels waiting ones, and with `cancel-in-progress` running ones. A run that needs approval
 * enters when it has that: until then it only replaces waiting runs of the same stranger.
 * @returns whether it has to wait
 */
export async function enterGroupAsRun(context: Context, run: ActionRun): Promise<boolean> {
  if (run.need_approval) {
    await replaceUnapproved(context, run);
    return true;
  }
  const isBusy = await isGroupBusy(context, run);
  await cancelOthers(context, run, { runId: run.id });
  return isBusy;
}

/** {@link enterGroupAsRun} for a job. */
export async function enterGroupAsJob(context: Context, job: ActionJob): Promise<boolean> {
  const isBusy = await isGroupBusy(context, job);
  await cancelOthers(context, job, { jobId: job.id });
  return isBusy;
}

async function replaceUnapproved(context: Context, run: ActionRun): Promise<void> {
  const earlier = context.db
    .selectFrom('action_runs')
    .select('id')
    .where('repository_id', '=', run.repository_id)
    .where('concurrency_group', '=', run.concurrency_group)
    .where('concurrency_group', '<>', '')
    .where('status', 'in', ['waiting', 'blocked'])
    .where('need_approval', '=', true)
    .where('trigger_user_id', '=', run.trigger_user_id)
    .where('id', '<>', run.id);
  await endJobs(context, await context.db.selectFrom('action_jobs').selectAll().where('run_id', 'in', earlier).orderBy('id').execute());
}

async function cancelOthers(context: Context, of: GroupOf, self: { runId?: number; jobId?: number }): Promise<void> {
  if (of.concurrency_group === '') return;
  const statuses: ActionStatus[] = of.concurrency_cancel ? ['waiting', 'blocked', 'running'] : ['waiting', 'blocked'];
  const { db } = context;
  const runs = db
    .selectFrom('action_runs')
    .select('id')
    .where('repository_id', '=', of.repository_id)
    .where('concurrency_group', '=', of.concurrency_group)
    .where('concurrency_group', '<>', '')
    .where('status', 'in', statuses)
    .$if(self.runId !== undefined, (query) => query.where('id', '<>', self.runId ?? 0));
  const ofRuns = await db.selectFrom('action_jobs').selectAll().where('run_id', 'in', runs).orderBy('id').execute();
  const alone = await db
    .selectFrom('action_jobs')
    .selectAll()
    .where('repository_id', '=', of.repository_id)
    .where('concurrency_group', '=', of.concurrency_group)
    .where('concurrency_group', '<>', '')
    .where('status', 'in', statuses)
    .orderBy('id')
    .execute();
  const jobs = new Map([...ofRuns, ...alone].map((job) => [job.id, job]));
  if (self.jobId !== undefined) jobs.delete(self.jobId);
  await endJobs(context, [...jobs.values()]);
}
