import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import { PackageError } from '../errors.ts';
import { stateOf } from './state.ts';

/** How often to check whether another process is done. */
const POLL_MS = 250;

/** What is fetched. */
export interface FetchKey {
  readonly upstreamId: number;
  readonly path: string;
}

/** The running fetch of this process; undefined if there is none. */
export function runningFetch<T>(context: Context, key: FetchKey): Promise<T> | undefined {
  return stateOf(context).running.get(textOf(key)) as Promise<T> | undefined;
}

/**
 * Fetches something once for all concurrent requests in all processes. All requests of this process get the
 * result, or the error, of the one fetch.
 * @param find finds what another process has fetched
 * @throws PackageError 503 if another process does not come to an end, and as `fetch`
 */
export async function fetchOnce<T>(
  context: Context,
  key: FetchKey,
  find: () => Promise<T | undefined>,
  fetch: () => Promise<T>,
): Promise<T> {
  const { running } = stateOf(context);
  const known = runningFetch<T>(context, key);
  if (known) return await known;
  const fetched = fetchAlone(context, key, find, fetch).finally(() => running.delete(textOf(key)));
  running.set(textOf(key), fetched);
  return await fetched;
}

async function fetchAlone<T>(context: Context, key: FetchKey, find: () => Promise<T | undefined>, fetch: () => Promise<T>): Promise<T> {
  const { db } = context.database;
  const deadline = Date.now() + context.settings.packages.upstreamTimeout;
  const row = { upstream_id: key.upstreamId, path: key.path, process_id: context.processes.id };
  const take = () =>
    db
      .insertInto('package_upstream_fetches')
      .values(row)
      .onConflict((conflict) =>
        // A row of this process was left behind: it fetches nothing else of this path.
        conflict
          .columns(['upstream_id', 'path'])
          .doUpdateSet({ process_id: row.process_id })
          .where('package_upstream_fetches.process_id', '=', row.process_id),
      )
      .returning('path')
      .executeTakeFirst();
  while (!(await take())) {
    await sleep(POLL_MS, undefined, { signal: stateOf(context).ending.signal });
    const found = await find();
    if (found) return found;
    if (Date.now() > deadline) throw new PackageError('invalid', { status: 503, message: 'another process fetches this' });
  }
  try {
    return (await find()) ?? (await fetch());
  } finally {
    await db
      .deleteFrom('package_upstream_fetches')
      .where('upstream_id', '=', key.upstreamId)
      .where('path', '=', key.path)
      .where('process_id', '=', row.process_id)
      .execute();
  }
}

function textOf({ upstreamId, path }: FetchKey): string {
  return `${upstreamId} ${path}`;
}
