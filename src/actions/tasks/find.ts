import type { Context } from '../../context.ts';
import { prepared } from '../../database/prepared.ts';
import type { ActionRunner } from '../../database/tables/action-runners.ts';
import type { ActionTask, ActionTaskStep } from '../../database/tables/actions.ts';
import { refusal } from '../protocol/errors.ts';

const byId = prepared((db, id: number) => db.selectFrom('action_tasks').selectAll().where('id', '=', id));

/** The task with this id. */
export async function findTask({ db }: Pick<Context, 'db'>, id: number): Promise<ActionTask | undefined> {
  return (await byId(db, id))[0];
}

/**
 * The task with this id, of this runner.
 * @throws ProcedureError otherwise
 */
export async function findTaskOf(context: Pick<Context, 'db'>, runner: ActionRunner, id: bigint): Promise<ActionTask> {
  const task = id > 0n && id <= BigInt(Number.MAX_SAFE_INTEGER) ? await findTask(context, Number(id)) : undefined;
  // A runner does not learn that tasks of others exist.
  if (task?.runner_id !== runner.id) throw refusal('NotFound', 'no such task of this runner');
  return task;
}

/** The steps of a task, in their order. */
export async function stepsOfTask({ db }: Pick<Context, 'db'>, taskId: number): Promise<ActionTaskStep[]> {
  return await db.selectFrom('action_task_steps').selectAll().where('task_id', '=', taskId).orderBy('number').execute();
}
