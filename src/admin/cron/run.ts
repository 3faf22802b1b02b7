import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import { notFound } from '../../http/errors.ts';
import { isTaskName } from '../../jobs/tasks.ts';

/** How long a response waits for a task that was started; a longer one continues without it. */
const WAIT_MS = 5000;

/**
 * Runs a scheduled task now, and waits for its end for some seconds.
 * @throws HttpError 404 for a name that no task has
 */
export async function runTask(context: Context, name: string): Promise<void> {
  if (!isTaskName(name)) throw notFound();
  await Promise.race([context.schedule.run(context, name), sleep(WAIT_MS, undefined, { ref: false })]);
}
