import type { Context } from '../../context.ts';

/**
 * Locks the runs of a repository until the transaction ends: the states of jobs, of their run, and of the others of a concurrency group
 * depend on each other. Every change of them takes this lock first.
 */
export async function lockRuns({ db }: Context, repositoryId: number): Promise<void> {
  await db
    .insertInto('action_run_counters')
    .values({ repository_id: repositoryId, last_number: 0 })
    .onConflict((conflict) =>
      conflict.column('repository_id').doUpdateSet((row) => ({ last_number: row.ref('action_run_counters.last_number') })),
    )
    .execute();
}

/** The first of several new run numbers of a repository. Locks the runs like {@link lockRuns}. */
export async function nextRunNumbers({ db }: Context, repositoryId: number, count: number): Promise<number> {
  const { last_number: number } = await db
    .insertInto('action_run_counters')
    .values({ repository_id: repositoryId, last_number: count })
    .onConflict((conflict) =>
      conflict.column('repository_id').doUpdateSet((row) => ({ last_number: row('action_run_counters.last_number', '+', count) })),
    )
    .returning('last_number')
    .executeTakeFirstOrThrow();
  return number - count + 1;
}
