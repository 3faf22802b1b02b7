import { now } from '../../../clock.ts';
import type { Context } from '../../../context.ts';
import { logKey } from './store.ts';

const BATCH = 100;
const DAY = 86_400;

/** Deletes logs that are older than the settings allow. */
export async function expireLogs(context: Context, signal: AbortSignal): Promise<void> {
  const before = now() - context.settings.actions.logRetention * DAY;
  while (!signal.aborted) {
    const tasks = await context.db
      .selectFrom('action_tasks')
      .select('id')
      .where('stopped_at', '>', 0)
      .where('stopped_at', '<', before)
      .where('log_expired', '=', false)
      .orderBy('stopped_at')
      .orderBy('id')
      .limit(BATCH)
      .execute();
    for (const { id } of tasks) await removeLog(context, id);
    const ids = tasks.map(({ id }) => id);
    if (ids.length > 0)
      await context.db.updateTable('action_tasks').set({ log_expired: true, log_indexes: null }).where('id', 'in', ids).execute();
    if (tasks.length < BATCH) return;
  }
}

/** Deletes the bytes of the log of a task, from the database or the storage. */
export async function removeLog({ db, storage }: Pick<Context, 'db' | 'storage'>, taskId: number): Promise<void> {
  await db.deleteFrom('action_log_blocks').where('task_id', '=', taskId).execute();
  await storage.delete(logKey(taskId));
}
