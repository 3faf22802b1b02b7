import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Repository } from '../../access/find-repository.ts';
import { now } from '../../clock.ts';
import { type Context, callerKey, inTransaction, internalContext } from '../../context.ts';
import { GitOutputLimitError } from '../../git/processes/process.ts';
import { BlobTooLargeError } from '../../storage/storage.ts';
import { buildArchive } from './build.ts';
import { CACHE_SECONDS, makeRoom } from './expire.ts';
import { removeArchives } from './remove.ts';
import type { ArchiveRequest } from './request.ts';

/** Maximum part of the whole cache for one archive: archives that are being built come on top of that. */
const LARGEST_PART = 1 / 4;
/** How long to wait for another process's build, and how often to check it, in milliseconds. */
const PATIENCE = 60_000;
const [FIRST_PAUSE, LONGEST_PAUSE] = [20, 500];
/** A build counts as abandoned after this many seconds: its process lost the database when it ended. */
const FORGOTTEN_SECONDS = 900;

/**
 * Builds an archive and publishes it under its key. If another process is building it, waits for that; the caller then looks for the
 * archive.
 */
export async function makeArchive(
  context: Context,
  repository: Repository,
  request: ArchiveRequest,
  key: string,
): Promise<'ended' | 'too large'> {
  // Other callers may wait for this build, so it does not depend on the caller's transaction or sign-in.
  const own = internalContext(context);
  const time = now();
  const blob = `${key.slice(0, key.lastIndexOf('/') + 1)}${randomUUID()}`;
  const row = { repository_id: repository.id, blob, created_at: time, used_at: time };
  // The row is written before the bytes: so they are deleted some day, even if the server dies before the archive is complete.
  const begun = await own.db
    .insertInto('archives')
    .values({ ...row, key: keyOfBuild(key), size: 0, process_id: own.processes.id })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!begun) {
    await awaitOther(own, key);
    return 'ended';
  }
  const { id } = begun;
  // Another process may have published it since the caller looked for it, and its row has made room for this one.
  if (await isPublished(own, key)) {
    await own.db.deleteFrom('archives').where('id', '=', id).execute();
    return 'ended';
  }
  await own.jobs.add(own, 'archives.expire', {}, { key: 'all', delay: CACHE_SECONDS });
  try {
    const maxSize = Math.floor(own.settings.repository.archivesMaxSize * LARGEST_PART);
    const archive = await buildArchive(own, repository, request, callerKey(context), { isSpooled: true, maxOutput: maxSize });
    const { size } = await own.storage.put(blob, archive, { maxSize });
    if (await publish(own, id, { ...row, key, size })) await makeRoom(own);
    else await removeArchives(own, [{ id, blob }]);
  } catch (error) {
    await removeArchives(own, [{ id, blob }]);
    if (!(error instanceof BlobTooLargeError || error instanceof GitOutputLimitError)) throw error;
    return 'too large';
  }
  return 'ended';
}

async function isPublished({ db }: Context, key: string): Promise<boolean> {
  return (await db.selectFrom('archives').select('id').where('key', '=', key).executeTakeFirst()) !== undefined;
}

/** The key of an unfinished archive's row: only one process builds it at a time. */
function keyOfBuild(key: string): string {
  return `making ${key}`;
}

/** Resolves when no other process builds the archive any more, or after a while. Rows of dead processes are deleted. */
async function awaitOther(own: Context, key: string): Promise<void> {
  const until = performance.now() + PATIENCE;
  for (let pause = FIRST_PAUSE; performance.now() < until; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
    const row = await own.db
      .selectFrom('archives')
      .leftJoin('processes', 'processes.id', 'archives.process_id')
      .select(['archives.id', 'archives.blob', 'archives.created_at', 'processes.id as builder'])
      .where('archives.key', '=', keyOfBuild(key))
      .executeTakeFirst();
    if (!row) return;
    // A build of this process would have been found by its key.
    const isForgotten = row.builder === own.processes.id || row.created_at < now() - FORGOTTEN_SECONDS;
    if (row.builder === null || isForgotten) return await removeArchives(own, [row]);
    await sleep(pause);
  }
}

/**
 * Publishes a complete archive under its key. Returns false when another process was faster, or when the archive was deleted meanwhile, for
 * example by a purge.
 */
async function publish(
  context: Context,
  id: number,
  row: { repository_id: number; key: string; blob: string; size: number; created_at: number; used_at: number },
): Promise<boolean> {
  return await inTransaction(context, async ({ db }) => {
    const made = await db
      .deleteFrom('archives')
      .where('id', '=', id)
      .where('process_id', 'is not', null)
      .returning('id')
      .executeTakeFirst();
    if (!made) return false;
    const published = await db
      .insertInto('archives')
      .values({ ...row, process_id: null })
      .onConflict((conflict) => conflict.column('key').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (published) return true;
    // Bytes that nobody reads any more have a row until they are deleted.
    await db
      .insertInto('archives')
      .values({ ...row, id, key: `removed ${row.blob}`, size: 0, process_id: null })
      .execute();
    return false;
  });
}
