import { now } from '../../clock.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { ActionRun } from '../../database/tables/actions.ts';
import { endJobs } from '../jobs/cancel.ts';
import { enterGroupAsRun } from '../jobs/concurrency.ts';
import { jobsOfRun } from '../jobs/find.ts';
import { lockRuns } from '../jobs/lock.ts';
import { isDone } from '../jobs/status.ts';

/** Approves a run of a pull request from a fork. The caller may write the actions of the repository. */
export async function approveRun(context: Context, run: ActionRun): Promise<void> {
  await inTransaction(context, async (context) => {
    await lockRuns(context, run.repository_id);
    const approved = await context.db
      .updateTable('action_runs')
      .set({ need_approval: false, approved_by: context.actor?.id ?? null, updated_at: now() })
      .where('id', '=', run.id)
      .where('need_approval', '=', true)
      .returningAll()
      .executeTakeFirst();
    if (!approved) return;
    if (approved.concurrency_group !== '' && !isDone(approved.status)) await enterGroupAsRun(context, approved);
    await context.jobs.add(context, 'actions.advance', { runId: run.id }, { key: `run ${run.id}` });
  });
}

/** Cancels the unfinished jobs of a run. The caller may write the actions of the repository. */
export async function cancelRun(context: Context, run: ActionRun): Promise<void> {
  await inTransaction(context, async (context) => {
    await lockRuns(context, run.repository_id);
    await endJobs(context, await jobsOfRun(context.db, run.id));
  });
}
