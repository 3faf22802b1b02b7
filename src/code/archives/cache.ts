import type { Readable } from 'node:stream';
import type { Repository } from '../../access/find-repository.ts';
import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import type { ByteRange } from '../../http/byte-range.ts';
import type { Storage } from '../../storage/storage.ts';
import { makeArchive } from './make.ts';
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

/** An archive was deleted just now, to make room for others. */
export class ArchiveRemovedError extends Error {
  override readonly name = 'ArchiveRemovedError';
}

/** The time of the last use is updated at most this often. */
const NOTED_SECONDS = 60;
/** How often an archive is built again, or waited for, when it is deleted at once. */
const ATTEMPTS = 3;
/** How many archives are remembered as too large. */
const MAX_REMEMBERED = 1000;

/** The builds of one server in progress, by key, and the keys of archives that are too large to cache. */
interface BuildState {
  readonly inProgress: Map<string, Promise<void>>;
  readonly tooLarge: Set<string>;
}

const buildStates = new WeakMap<Storage, BuildState>();

/**
 * The archive of a commit, built unless it is cached; concurrent callers, of other processes too, wait for one build. Undefined for one
 * that is too large to cache.
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
      build(context, repository, request, key, builds).finally(() => {
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

async function build(
  context: Context,
  repository: Repository,
  request: ArchiveRequest,
  key: string,
  { tooLarge }: BuildState,
): Promise<void> {
  if ((await makeArchive(context, repository, request, key)) !== 'too large') return;
  if (tooLarge.size >= MAX_REMEMBERED) tooLarge.clear();
  tooLarge.add(key);
}
