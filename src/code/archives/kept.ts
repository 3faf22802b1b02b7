import type { Readable } from 'node:stream';
import type { Repository } from '../../access/find-repository.ts';
import { now } from '../../clock.ts';
import { type Context, callerKey, internalContext } from '../../context.ts';
import type { ByteRange } from '../../http/byte-range.ts';
import type { Storage } from '../../storage/storage.ts';
import { makeArchive } from './making.ts';
import type { ArchiveRequest } from './request.ts';

/** An archive that is kept. */
export interface KeptArchive {
  readonly size: number;
  /** Seconds since 1970 at which it was made. */
  readonly created: number;
  open(range: ByteRange | undefined): Promise<Readable>;
}

/** Archives that nobody asked for in so many seconds are removed. */
export const KEPT_SECONDS = 24 * 60 * 60;

/** Use is noted no more often than this. */
const NOTED_SECONDS = 60 * 60;

/** Archives of one server that are being made, by key. */
const underWay = new WeakMap<Storage, Map<string, Promise<void>>>();

/** The archive of a commit, made when nobody has asked for it lately; who asks meanwhile waits for the same one. */
export async function keepArchive(context: Context, repository: Repository, request: ArchiveRequest): Promise<KeptArchive> {
  const key = keyOf(context, repository, request);
  const known = await kept(context, key);
  if (known) return known;
  const running = underWay.get(context.storage) ?? new Map<string, Promise<void>>();
  underWay.set(context.storage, running);
  const making = running.get(key) ?? make(context, repository, request, key).finally(() => running.delete(key));
  running.set(key, making);
  await making;
  const made = await kept(context, key);
  if (!made) throw new Error(`the archive ${key} is gone as soon as it was made`);
  return made;
}

/** The name of the folder within is part of the key: a renamed repository has other archives. */
function keyOf({ settings }: Context, { id, lower_name }: Repository, { commit, format }: ArchiveRequest): string {
  const folder = settings.repository.archivePrefix ? `-${lower_name}` : '';
  return `archives/${(id % 256).toString(16).padStart(2, '0')}/${id}/${commit}${folder}.${format}`;
}

async function kept(context: Context, key: string): Promise<KeptArchive | undefined> {
  const info = await context.storage.info(key);
  const row = info && (await context.db.selectFrom('archives').selectAll().where('key', '=', key).executeTakeFirst());
  if (!info || !row) return undefined;
  const time = now();
  if (row.used_at < time - NOTED_SECONDS) {
    await context.db.updateTable('archives').set({ used_at: time }).where('id', '=', row.id).execute();
  }
  return {
    size: info.size,
    created: row.created_at,
    async open(range) {
      const blob = await context.storage.get(key, range && { start: range.start, end: range.end });
      if (!blob) throw new Error(`the archive ${key} has just been removed`);
      return blob.stream;
    },
  };
}

/** The row comes first: what it names is removed some day, also when the server dies before the archive is whole. */
async function make(context: Context, repository: Repository, request: ArchiveRequest, key: string): Promise<void> {
  const time = now();
  // Others may wait for this one, so it does not end with the caller's transaction or sign-in.
  const own = internalContext(context);
  await own.db
    .insertInto('archives')
    .values({ repository_id: repository.id, key, created_at: time, used_at: time })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ created_at: time, used_at: time }))
    .execute();
  await context.jobs.add(own, 'archives.expire', {}, { key: 'all', delay: KEPT_SECONDS });
  await context.storage.put(key, await makeArchive(own, repository, request, callerKey(context)));
}
