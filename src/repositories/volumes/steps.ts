import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import type { RepositoryMove } from '../../database/tables/volumes.ts';

/** A repository cannot be moved to another volume; nothing has changed for those who use it. */
export class MoveError extends Error {
  override readonly name = 'MoveError';
}

/** How often it is looked whether all have confirmed, in milliseconds: at first, and after a while. */
const [FIRST_PAUSE_MS, LAST_PAUSE_MS] = [10, 400];

/**
 * Waits until every living process has confirmed a step of a move. A process that begins later looks at the moves before it writes.
 * @returns the processes that have not after so many milliseconds
 */
export async function unconfirmed(
  { db, processes }: Context,
  { repository_id, step }: Pick<RepositoryMove, 'repository_id' | 'step'>,
  waitMs: number,
): Promise<{ id: number; host: string; pid: number }[]> {
  const deadline = performance.now() + waitMs;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.3, LAST_PAUSE_MS)) {
    const living = await processes.list();
    const rows = await db
      .selectFrom('repository_move_steps')
      .select('process_id')
      .where('repository_id', '=', repository_id)
      .where('step', '=', step)
      .execute();
    const confirmed = new Set(rows.map(({ process_id }) => process_id));
    const missing = living.filter(({ id }) => !confirmed.has(id));
    if (missing.length === 0 || performance.now() > deadline) return missing;
    await sleep(pause);
  }
}
