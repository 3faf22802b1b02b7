import type { Context } from '../context.ts';

/** How long a feed waits for what has just happened, in milliseconds. */
const PATIENCE = 500;

/** Feeds are written after the change, so a request waits a moment for the caller's own last change. */
export function upToDate(context: Context): Promise<void> {
  return context.events.caughtUp(context, 'activity', PATIENCE);
}
