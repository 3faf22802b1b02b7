import type { Db } from '../../database/database.ts';
import type { ActionJob, ActionStatus } from '../../database/tables/actions.ts';
import { isDone, statusOfRun } from './status.ts';

/** The result of a needed job; for a matrix, of all its jobs together. */
export interface Need {
  readonly result: ActionStatus;
  readonly outputs: Readonly<Record<string, string>>;
}

/**
 * The jobs that a job needs, by their keys.
 * @param jobs all jobs of its run
 */
export async function needsOf(db: Db, job: Pick<ActionJob, 'needs'>, jobs: readonly ActionJob[]): Promise<Record<string, Need>> {
  const needed = jobs.filter(({ job_key: key }) => job.needs.includes(key));
  const taskIds = needed.flatMap(({ task_id: id, status }) => (id !== null && isDone(status) ? [id] : []));
  const rows = taskIds.length === 0 ? [] : await db.selectFrom('action_task_outputs').selectAll().where('task_id', 'in', taskIds).execute();
  const needs: Record<string, Need> = {};
  for (const key of new Set(needed.map((one) => one.job_key))) {
    const same = needed.filter((one) => one.job_key === key);
    needs[key] = { result: statusOfRun(same.map((one) => ({ ...one, continue_on_error: false }))), outputs: outputsOf(same, rows) };
  }
  return needs;
}

/** For a matrix, the last output that is not empty counts. */
function outputsOf(jobs: readonly ActionJob[], rows: readonly { task_id: number; name: string; value: string }[]): Record<string, string> {
  const outputs: Record<string, string> = {};
  for (const { task_id: taskId } of jobs) {
    for (const { name, value } of rows.filter((row) => row.task_id === taskId))
      if (value !== '' || !(name in outputs)) outputs[name] = value;
  }
  return outputs;
}
