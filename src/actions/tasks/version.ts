import { sql } from 'kysely';
import { afterCommit, beforeCommit, type Context } from '../../context.ts';
import { prepared } from '../../database/prepared.ts';
import type { ActionRunner } from '../../database/tables/action-runners.ts';

/** The level of jobs or a runner: a repository, an owner, or the instance. */
type Place = Pick<ActionRunner, 'owner_id' | 'repository_id'>;

const ofInstance = prepared((db) =>
  db.selectFrom('action_task_versions').select('version').where('owner_id', 'is', null).where('repository_id', 'is', null),
);
const ofOwner = prepared((db, id: number) => db.selectFrom('action_task_versions').select('version').where('owner_id', '=', id));
const ofRepository = prepared((db, id: number) => db.selectFrom('action_task_versions').select('version').where('repository_id', '=', id));

/** The version, from 1, that grows whenever there may be another job for a runner of this level. */
export async function tasksVersion({ db }: Pick<Context, 'db'>, { owner_id, repository_id }: Place): Promise<number> {
  const rows =
    repository_id !== null ? await ofRepository(db, repository_id) : owner_id !== null ? await ofOwner(db, owner_id) : await ofInstance(db);
  return rows[0]?.version ?? 1;
}

/**
 * Lets runners look for jobs again: called whenever a job begins to wait, in its transaction. The versions change at the end of the
 * transaction, because others that change that of the instance wait for it.
 */
export async function bumpTasksVersion(context: Context, { owner_id, repository_id }: Place): Promise<void> {
  if (isBumped(context, `${owner_id} ${repository_id}`)) return;
  await beforeCommit(context, async () => {
    await bump(context, { owner_id: null, repository_id: null });
    if (owner_id !== null) await bump(context, { owner_id, repository_id: null });
    if (repository_id !== null) await bump(context, { owner_id: null, repository_id });
  });
  afterCommit(context, () => context.wakeUps.wake('tasks'));
}

/** The levels whose versions a transaction changes at its end. */
const bumped = new WeakMap<object, Set<string>>();

/** Whether the transaction does so already; from now on it does. */
function isBumped({ beforeCommit: transaction }: Context, place: string): boolean {
  if (!transaction) return false;
  const places = bumped.get(transaction) ?? new Set();
  bumped.set(transaction, places);
  if (places.has(place)) return true;
  places.add(place);
  return false;
}

async function bump({ db }: Context, place: Place): Promise<void> {
  const update = () => {
    const all = db.updateTable('action_task_versions').set({ version: sql`version + 1` });
    const owned = place.owner_id === null ? all.where('owner_id', 'is', null) : all.where('owner_id', '=', place.owner_id);
    return (
      place.repository_id === null ? owned.where('repository_id', 'is', null) : owned.where('repository_id', '=', place.repository_id)
    ).returning('id');
  };
  if (await update().executeTakeFirst()) return;
  const made = await db
    .insertInto('action_task_versions')
    .values({ ...place, version: 2 })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!made) await update().execute();
}
