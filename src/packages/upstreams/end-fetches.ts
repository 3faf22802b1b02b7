import { setTimeout as sleep } from 'node:timers/promises';
import type { Services } from '../../context.ts';
import type { Listening } from '../../feature.ts';
import { closeSpool } from './spool.ts';
import { stateOf } from './state.ts';

/** Lets fetches end when the process ends, as long as the settings allow, and aborts the others. */
export async function endFetches(services: Services): Promise<Listening> {
  const { ending, running } = stateOf(services);
  return {
    close: async () => {
      const timer = new AbortController();
      const ended = Promise.allSettled([...running.values()]);
      await Promise.race([ended, sleep(services.settings.server.shutdownTimeout, undefined, { signal: timer.signal }).catch(() => {})]);
      timer.abort();
      ending.abort(new Error('the server stops'));
      await ended;
      await closeSpool(services);
    },
  };
}
