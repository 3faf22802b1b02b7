import { sql } from 'kysely';
import { now } from '../clock.ts';
import type { Context, Services } from '../context.ts';
import { type Database, type Db, isDeadlock } from '../database/database.ts';
import { prepared, preparedIn } from '../database/prepared.ts';
import { QUEUE_NAMES, type QueueName } from './queues.ts';

/** A job to enqueue. */
interface NewJob {
  readonly type: string;
  readonly queue: QueueName;
  readonly payload: string;
  /** A job with the same key as a waiting one is not enqueued again. */
  readonly key: string | null;
  readonly due_at: number;
}

/** A job that this process has taken. */
export interface TakenJob {
  readonly id: number;
  readonly type: string;
  readonly payload: unknown;
  /** Including this one. */
  readonly attempts: number;
  readonly is_cancelled: boolean;
}

/** How often a job is started before it is given up, whether it fails or ends its process. */
export const MAX_ATTEMPTS = 8;

/** Seconds until the next attempt of a job that has ended more than one process. */
const DELAY_AFTER_DEATH = 60;

/** Seconds until the next attempt after this many. */
function delayAfter(attempts: number): number {
  return Math.min(3600, 5 * 2 ** attempts);
}

const addRow = prepared((db, type: string, queue: QueueName, payload: string, key: string | null, dueAt: number, createdAt: number) =>
  db
    .insertInto('jobs')
    .values({ type, queue, payload, key, due_at: dueAt, created_at: createdAt })
    .onConflict((conflict) =>
      conflict
        .columns(['type', 'key'])
        .where('key', 'is not', null)
        // The update keeps the waiting job from being taken before this transaction ends: earlier, it would not see the change.
        // No index has the column.
        .doUpdateSet((row) => ({ created_at: row.ref('jobs.created_at') })),
    )
    .returning('id'),
);

/** Enqueues a job in the context's transaction; see `JobQueue.add`. Returns its id, or that of the waiting one with its key. */
export async function insertJob({ db }: Context, { type, queue, payload, key, due_at }: NewJob): Promise<number> {
  const [row] = await addRow(db, type, queue, payload, key, due_at, now());
  if (!row) throw new Error('a job was not added');
  return row.id;
}

/** Moves waiting jobs to the current queue of their type, which another version may not have known. */
export async function assignQueues(db: Db, types: ReadonlyMap<QueueName, readonly string[]>): Promise<void> {
  for (const [queue, names] of types) {
    await db
      .updateTable('jobs')
      .set({ queue })
      .where('type', 'in', names)
      .where('queue', '!=', queue)
      .where('process_id', 'is', null)
      .execute();
  }
}

/** The queues in which a job is due. */
export async function dueQueues(db: Db): Promise<QueueName[]> {
  const [due] = await selectDueQueues(db, now());
  return QUEUE_NAMES.filter((queue) => due?.[queue]);
}

const selectDueQueues = prepared((db, time: number) =>
  db.selectNoFrom(({ exists, selectFrom }) =>
    QUEUE_NAMES.map((queue) =>
      exists(
        selectFrom('jobs').select(sql`1`.as('one')).where('queue', '=', queue).where('process_id', 'is', null).where('due_at', '<=', time),
      ).as(queue),
    ),
  ),
);

/** No job has this id. */
const NO_JOB = 0;

/** Takes a job; see {@link jobTaker}. `active` are jobs that are still running here, though they may have been released. */
export type JobTaker = (services: Services, active: readonly number[]) => Promise<TakenJob | undefined>;

/**
 * Makes what takes the job of a queue that has been due longest. Taking counts as an attempt: also a job that ends its process has had one.
 * A job with a key waits while another job of the same type and key runs.
 * @param types those that this process knows
 */
export function jobTaker({ dialect }: Database, queue: QueueName, types: readonly string[]): JobTaker {
  const take = preparedIn((db, active: readonly number[], processId: number, time: number) =>
    db
      .updateTable('jobs')
      .set((row) => ({
        process_id: processId,
        attempts: row('attempts', '+', 1),
        running_key: row.fn.coalesce('key', 'running_key'),
        key: null,
        started_at: time,
        progress: null,
        // The state if this attempt ends its process: the second attempt follows at once, others wait.
        due_at: sql<number>`cast(${time} as bigint) + case when "attempts" = 0 then 0 else ${sql.lit(DELAY_AFTER_DEATH)} end`,
      }))
      .where('id', '=', (where) => {
        const due = where
          .selectFrom('jobs as waiting')
          .select('waiting.id')
          .where('waiting.queue', '=', queue)
          .where('waiting.process_id', 'is', null)
          .where('waiting.due_at', '<=', time)
          .where('waiting.type', 'in', types)
          .where('waiting.id', 'not in', active)
          .where((row) =>
            row.or([
              row('waiting.key', 'is', null),
              row.not(
                row.exists(
                  row
                    .selectFrom('jobs as running')
                    .select(sql`1`.as('one'))
                    .whereRef('running.type', '=', 'waiting.type')
                    .whereRef('running.running_key', '=', 'waiting.key'),
                ),
              ),
            ]),
          )
          .orderBy('waiting.due_at')
          .orderBy('waiting.id')
          .limit(1);
        return dialect === 'sqlite' ? due : due.forUpdate('waiting').skipLocked();
      })
      .returning(['id', 'type', 'payload', 'attempts', 'is_cancelled']),
  );
  return async ({ database: { db }, processes }, active) => (await take(db, [NO_JOB, ...active], processes.id, now()))[0];
}

/** Releases jobs that belong to this process but do not run in it. A job that was completed runs again. */
export async function releaseForgotten({ database: { db }, processes }: Services, active: readonly number[]): Promise<void> {
  await db
    .updateTable('jobs')
    .set({ process_id: null })
    .where('process_id', '=', processes.id)
    .$if(active.length > 0, (query) => query.where('id', 'not in', active))
    .execute();
}

const removeRow = prepared((db, id: number, processId: number) =>
  db.deleteFrom('jobs').where('id', '=', id).where('process_id', '=', processId),
);

/** Deletes a job that is done or given up, unless another process has taken it. */
export async function removeJob({ database: { db }, processes }: Services, { id }: TakenJob): Promise<void> {
  await removeRow(db, id, processes.id);
}

/** Schedules the next attempt of a failed job; at once if the database rolled it back because of another transaction. */
export async function postponeJob({ database: { db }, processes }: Services, job: TakenJob, error: unknown): Promise<void> {
  const due = now() + (isDeadlock(error) ? 0 : delayAfter(job.attempts));
  await db
    .updateTable('jobs')
    .set({ due_at: due, process_id: null, running_key: null, error: String(error).slice(0, 2000) })
    .where('id', '=', job.id)
    .where('process_id', '=', processes.id)
    .execute();
}

/** Returns a job that this process cannot finish before it stops; this does not count as an attempt. */
export async function giveBackJob({ database: { db }, processes }: Services, { id }: TakenJob): Promise<void> {
  await db
    .updateTable('jobs')
    .set((row) => ({ process_id: null, attempts: row('attempts', '-', 1), due_at: now() }))
    .where('id', '=', id)
    .where('process_id', '=', processes.id)
    .execute();
}
