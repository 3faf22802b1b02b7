import type { Context } from '../context.ts';

/** How long a feed waits for recent changes, in milliseconds; on a busy machine these take a while. */
const PATIENCE = 2000;

/** Feeds are written after the change, so a request briefly waits for the caller's own last change. */
export async function upToDate(context: Context): Promise<void> {
  await context.events.caughtUp({ db: context.database.db }, 'activity', PATIENCE);
  await context.reads?.refresh();
}
