import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import type { ActionStatus } from '../../database/tables/actions.ts';
import { removeEphemeralRunner } from '../tasks/ephemeral.ts';
import { DONE } from './status.ts';

/**
 * Ends a task and its steps, in the transaction that ends its job. The runner learns it with its next report, and its token becomes
 * invalid. A finished task does not change.
 */
export async function stopTask({ db }: Context, taskId: number, status: ActionStatus): Promise<void> {
  const time = now();
  const stopped = await db
    .updateTable('action_tasks')
    .set({ status, stopped_at: time, updated_at: time })
    .where('id', '=', taskId)
    .where('status', 'not in', DONE)
    .returning('runner_id')
    .executeTakeFirst();
  if (!stopped) return;
  await removeEphemeralRunner({ db }, stopped.runner_id);
  await db
    .updateTable('action_task_steps')
    .set((step) => ({
      status,
      stopped_at: time,
      started_at: step.case().when('started_at', '=', 0).then(time).else(step.ref('started_at')).end(),
    }))
    .where('task_id', '=', taskId)
    .where('status', 'not in', DONE)
    .execute();
}
