import { now } from '../../clock.ts';
import { type Context, inTransaction } from '../../context.ts';
import { endJobs } from './cancel.ts';
import { lockRuns } from './lock.ts';

const BATCH = 100;

/** Cancels the jobs that no runner has taken for too long. */
export async function cancelAbandonedJobs(context: Context, signal: AbortSignal): Promise<void> {
  const before = now() - context.settings.actions.waitingTimeout / 1000;
  for (let last = 0; !signal.aborted; ) {
    const jobs = await context.db
      .selectFrom('action_jobs')
      .select(['id', 'repository_id'])
      .where('status', 'in', ['waiting', 'blocked'])
      .where('is_held', '=', false)
      .where('updated_at', '<', before)
      .where('id', '>', last)
      .orderBy('id')
      .limit(BATCH)
      .execute();
    for (const job of jobs) {
      signal.throwIfAborted();
      await cancelOne(context, job, before);
    }
    last = jobs.at(-1)?.id ?? 0;
    if (jobs.length < BATCH) return;
  }
}

async function cancelOne(context: Context, { id, repository_id: repositoryId }: { id: number; repository_id: number }, before: number) {
  await inTransaction(context, async (context) => {
    await lockRuns(context, repositoryId);
    // A runner may have taken it meanwhile.
    const job = await context.db
      .selectFrom('action_jobs')
      .selectAll()
      .where('id', '=', id)
      .where('status', 'in', ['waiting', 'blocked'])
      .where('is_held', '=', false)
      .where('updated_at', '<', before)
      .executeTakeFirst();
    if (job) await endJobs(context, [job]);
  });
}
