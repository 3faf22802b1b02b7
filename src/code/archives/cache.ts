import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Repository } from '../../access/find-repository.ts';
import { now } from '../../clock.ts';
import { type Context, callerKey, inTransaction, internalContext } from '../../context.ts';
import type { ByteRange } from '../../http/byte-range.ts';
import { BlobTooLargeError, type Storage } from '../../storage/storage.ts';
import { buildArchive } from './build.ts';
import { CACHE_SECONDS, makeRoom } from './expire.ts';
import { removeArchives } from './remove.ts';
import type { ArchiveRequest } from './request.ts';

/** An archive that is kept. */
export interface CachedArchive {
  readonly size: number;
  /** Seconds since 1970 at which it was made. */
  readonly created: number;
  /** @throws ArchiveRemovedError */
  open(range: ByteRange | undefined): Promise<Readable>;
}

/** An archive has just made room for others. */
export class ArchiveRemovedError extends Error {
  override readonly name = 'ArchiveRemovedError';
}

/** Use is noted no more often than this. */
const NOTED_SECONDS = 60;
/** No archive takes more than this part of the room for all: what is being made comes on top of that. */
const LARGEST_PART = 1 / 4;
/** So often an archive is made again because it is removed as soon as it is there. */
const ATTEMPTS = 3;
/** So many archives are remembered as too large. */
const MAX_REMEMBERED = 1000;

/** What one server is making, by key, and what it need not try to keep. */
interface BuildState {
  readonly inProgress: Map<string, Promise<void>>;
  readonly tooLarge: Set<string>;
}

const buildStates = new WeakMap<Storage, BuildState>();

/**
 * The archive of a commit, made when nobody has asked for it lately; who asks meanwhile waits for the same one. Undefined for one that is
 * too large to be kept.
 */
export async function cachedArchive(context: Context, repository: Repository, request: ArchiveRequest): Promise<CachedArchive | undefined> {
  const key = keyOf(context, repository, request);
  const builds = buildStates.get(context.storage) ?? { inProgress: new Map(), tooLarge: new Set() };
  buildStates.set(context.storage, builds);
  for (let attempt = 0; attempt < ATTEMPTS && !builds.tooLarge.has(key); attempt++) {
    const known = await findCached(context, key);
    if (known) return known;
    const running =
      builds.inProgress.get(key) ??
      make(context, repository, request, { key, builds }).finally(() => {
        builds.inProgress.delete(key);
      });
    builds.inProgress.set(key, running);
    await running;
  }
  return await findCached(context, key);
}

/** The name of the folder within is part of the key: a renamed repository has other archives. */
function keyOf({ settings }: Context, { id, lower_name }: Repository, { commit, format }: ArchiveRequest): string {
  const folder = settings.repository.archivePrefix ? `-${lower_name}` : '';
  return `archives/${(id % 256).toString(16).padStart(2, '0')}/${id}/${commit}${folder}.${format}`;
}

async function findCached(context: Context, key: string): Promise<CachedArchive | undefined> {
  const row = await context.db.selectFrom('archives').selectAll().where('key', '=', key).executeTakeFirst();
  if (!row) return undefined;
  if (!(await context.storage.info(row.blob))) {
    await removeArchives(context, [row]);
    return undefined;
  }
  const time = now();
  if (row.used_at < time - NOTED_SECONDS) {
    await context.db.updateTable('archives').set({ used_at: time }).where('id', '=', row.id).execute();
  }
  return {
    size: row.size,
    created: row.created_at,
    async open(range) {
      const blob = await context.storage.get(row.blob, range && { start: range.start, end: range.end });
      if (!blob) throw new ArchiveRemovedError(`the archive ${key} has just been removed`);
      return blob.stream;
    },
  };
}

/** A row comes before the bytes: what it names is removed some day, also when the server dies before the archive is whole. */
async function make(
  context: Context,
  repository: Repository,
  request: ArchiveRequest,
  { key, builds }: { key: string; builds: BuildState },
): Promise<void> {
  // Others may wait for this one, so it does not end with the caller's transaction or sign-in.
  const own = internalContext(context);
  const time = now();
  const blob = `${key.replace(/[^/]*$/, '')}${randomUUID()}`;
  const row = { repository_id: repository.id, blob, created_at: time, used_at: time };
  const { id } = await own.db
    .insertInto('archives')
    .values({ ...row, key: `making ${blob}`, size: 0, process_id: own.processes.id })
    .returning('id')
    .executeTakeFirstOrThrow();
  await own.jobs.add(own, 'archives.expire', {}, { key: 'all', delay: CACHE_SECONDS });
  try {
    const maxSize = Math.floor(own.settings.repository.archivesMaxSize * LARGEST_PART);
    const { size } = await own.storage.put(blob, await buildArchive(own, repository, request, callerKey(context)), { maxSize });
    if (await publish(own, id, { ...row, key, size })) await makeRoom(own);
    else await removeArchives(own, [{ id, blob }]);
  } catch (error) {
    await removeArchives(own, [{ id, blob }]);
    if (!(error instanceof BlobTooLargeError)) throw error;
    if (builds.tooLarge.size >= MAX_REMEMBERED) builds.tooLarge.clear();
    builds.tooLarge.add(key);
  }
}

/**
 * Puts an archive that is whole where readers find it. False when another process was quicker, or when it was removed meanwhile, as by a
 * purge of what is in it.
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
    // The bytes that nobody reads keep a row until they are removed.
    await db
      .insertInto('archives')
      .values({ ...row, id, key: `removed ${row.blob}`, size: 0, process_id: null })
      .execute();
    return false;
  });
}
