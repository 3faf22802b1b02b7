import type { Context } from '../context.ts';

/** How long a feed waits for what has just happened, in milliseconds; on a busy machine that takes a while. */
const PATIENCE = 2000;

/** Feeds are written after the change, so a request waits a moment for the caller's own last change. */
export async function upToDate(context: Context): Promise<void> {
  await context.events.caughtUp({ db: context.database.db }, 'activity', PATIENCE);
  await context.reads?.refresh();
}
