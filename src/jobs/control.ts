import type { Context, Services } from '../context.ts';
import { prepared } from '../database/prepared.ts';
import type { JobStatus, Progress } from './jobs.ts';

/** The state of a job, unless it is done, given up or cancelled. */
export async function findJob({ db }: Context, id: number): Promise<JobStatus | undefined> {
  const row = await db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirst();
  return (
    row && {
      id: row.id,
      type: row.type,
      isRunning: row.process_id !== null,
      isCancelled: row.is_cancelled,
      attempts: row.attempts,
      progress: row.progress as Progress | null,
      error: row.error,
      startedAt: row.started_at,
      dueAt: row.due_at,
    }
  );
}

/** Deletes a waiting job, or cancels a running one. Returns whether there was such a job. */
export async function cancelJob({ db }: Context, id: number): Promise<boolean> {
  const { numUpdatedRows } = await db.updateTable('jobs').set({ is_cancelled: true }).where('id', '=', id).executeTakeFirst();
  await db.deleteFrom('jobs').where('id', '=', id).where('process_id', 'is', null).execute();
  return numUpdatedRows > 0n;
}

const heldBy = prepared((db, processId: number) =>
  db.selectFrom('jobs').select(['id', 'is_cancelled']).where('process_id', '=', processId),
);

/** The running jobs of this process that must stop: cancelled ones, and those that were released meanwhile. */
export async function findUnwanted(
  { database: { db }, processes }: Services,
  ids: readonly number[],
): Promise<{ cancelled: number[]; lost: number[] }> {
  const rows = await heldBy(db, processes.id);
  const held = new Map(rows.map((row) => [row.id, row.is_cancelled]));
  return { cancelled: ids.filter((id) => held.get(id) === true), lost: ids.filter((id) => !held.has(id)) };
}
