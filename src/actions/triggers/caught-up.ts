import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../context.ts';

/** Milliseconds. */
const PATIENCE = 3000;
const STEP = 15;

/**
 * Resolves when the workflows of all earlier events of a repository have been started, so that runs are numbered in the order of
 * their events; after some seconds at the latest.
 */
export async function triggersCaughtUp({ db }: Context, repositoryId: number): Promise<void> {
  const events = () => db.selectFrom('action_events').select('id').where('repository_id', '=', repositoryId).limit(1);
  const last = await events().orderBy('id', 'desc').executeTakeFirst();
  if (!last) return;
  const end = performance.now() + PATIENCE;
  while (performance.now() < end) {
    if (!(await events().where('id', '<=', last.id).executeTakeFirst())) return;
    await sleep(STEP);
  }
}
