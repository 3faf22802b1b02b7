import type { Context } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import type { ActionTask } from '../../database/tables/actions.ts';
import { stepNamesInWorker } from '../workflows/in-worker.ts';

/** Jobs up to this length are parsed at once; others are parsed in a worker. */
const MAX_AT_ONCE = 16 * 1024;
/** Rows that one statement inserts. */
const BATCH = 1000;

/** The displayed names of the steps of a job; none for one that takes too long to parse. */
export async function stepNames(context: Context, payload: string): Promise<string[]> {
  return (await shortStepNames(payload)) ?? (await stepNamesInWorker(context, payload));
}

/** {@link stepNames} of a job that is parsed at once; undefined for others, since a transaction must not wait for them. */
export async function shortStepNames(payload: string): Promise<string[] | undefined> {
  if (payload.length > MAX_AT_ONCE) return undefined;
  const { stepNamesOf } = await import('../workflows/file/step-names.ts');
  return stepNamesOf(payload);
}

/** Writes the steps of a new task. */
export async function insertSteps(db: Db, { id, repository_id }: Pick<ActionTask, 'id' | 'repository_id'>, names: readonly string[]) {
  const steps = names.map((name, number) => ({ task_id: id, repository_id, number, name, status: 'waiting' as const }));
  for (let at = 0; at < steps.length; at += BATCH)
    await db
      .insertInto('action_task_steps')
      .values(steps.slice(at, at + BATCH))
      .execute();
}
