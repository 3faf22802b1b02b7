import type { Database } from '../database/database.ts';
import type { Logger } from '../log.ts';

/** How often a server looks whether migrations that wait for older processes can be made, in milliseconds. */
const CHECK_MS = 15_000;

/** Runs the migrations that wait for processes of older versions, once none of those runs. Returns a function that stops it. */
export function migrateWhenAlone({ database, log }: { readonly database: Database; readonly log: Logger }): () => void {
  if (database.waiting.length === 0) return () => {};
  log.warn({ migrations: database.waiting }, 'migrations wait until no process of an older version runs');
  const timer = setInterval(() => {
    database.migrateWaiting().then(
      (waiting) => {
        if (waiting.length > 0) return;
        log.info({ migrations: database.waiting }, 'made the migrations that waited for processes of older versions');
        clearInterval(timer);
      },
      (error: unknown) => log.warn({ err: error }, 'migrations that waited could not be made'),
    );
  }, CHECK_MS).unref();
  return () => clearInterval(timer);
}
