import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Repository } from '../../access/find-repository.ts';
import { now } from '../../clock.ts';
import { type Context, callerKey, inTransaction, internalContext } from '../../context.ts';
import { GitOutputLimitError } from '../../git/process.ts';
import type { ByteRange } from '../../http/byte-range.ts';
import { BlobTooLargeError, type Storage } from '../../storage/storage.ts';
import { buildArchive } from './build.ts';
import { CACHE_SECONDS, makeRoom } from './expire.ts';
import { removeArchives } from './remove.ts';
import type { ArchiveRequest } from './request.ts';

/** A cached archive. */
export interface CachedArchive {
  readonly size: number;
  /** When it was built, in seconds since 1970. */
  readonly created: number;
  /** @throws ArchiveRemovedError */
  open(range: ByteRange | undefined): Promise<Readable>;
}

/** An archive was removed a moment ago, to make room for others. */
export class ArchiveRemovedError extends Error {
  override readonly name = 'ArchiveRemovedError';
}

/** The time of the last use is updated no more often than this. */
const NOTED_SECONDS = 60;
/** No archive takes more than this part of the space for all: archives that are being built come on top of that. */
const LARGEST_PART = 1 / 4;
/** How often an archive is built again when it is removed at once. */
const ATTEMPTS = 3;
/** The most archives that are remembered as too large. */
const MAX_REMEMBERED = 1000;

/** The builds of one server in progress, by key, and the keys of archives that are too large to cache. */
interface BuildState {
  readonly inProgress: Map<string, Promise<void>>;
  readonly tooLarge: Set<string>;
}

const buildStates = new WeakMap<Storage, BuildState>();

/**
 * The archive of a commit, built unless it is cached; concurrent callers wait for one build. Undefined for one that is too large to cache.
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

/** The name of the folder inside is part of the key: a renamed repository has other archives. */
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

/** The row comes before the bytes: so they are removed some day, also when the server dies before the archive is complete. */
async function make(
  context: Context,
  repository: Repository,
  request: ArchiveRequest,
  { key, builds }: { key: string; builds: BuildState },
): Promise<void> {
  // Other callers may wait for this build, so it does not depend on the caller's transaction or sign-in.
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
    const archive = await buildArchive(own, repository, request, callerKey(context), { isSpooled: true, maxOutput: maxSize });
    const { size } = await own.storage.put(blob, archive, { maxSize });
    if (await publish(own, id, { ...row, key, size })) await makeRoom(own);
    else await removeArchives(own, [{ id, blob }]);
  } catch (error) {
    await removeArchives(own, [{ id, blob }]);
    if (!(error instanceof BlobTooLargeError || error instanceof GitOutputLimitError)) throw error;
    if (builds.tooLarge.size >= MAX_REMEMBERED) builds.tooLarge.clear();
    builds.tooLarge.add(key);
  }
}

/**
 * Publishes a complete archive under its key. False when another process was faster, or when the archive was removed meanwhile, as by a
 * purge.
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
    // Bytes without readers have a row until they are removed.
    await db
      .insertInto('archives')
      .values({ ...row, id, key: `removed ${row.blob}`, size: 0, process_id: null })
      .execute();
    return false;
  });
}
