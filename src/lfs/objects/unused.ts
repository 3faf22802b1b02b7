import type { Repository } from '../../access/find-repository.ts';
import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import type { LfsObjectRow } from '../../database/tables/lfs.ts';
import { newObject } from '../../git/objects/write-objects.ts';
import type { GitRepository } from '../../git/repository.ts';
import { formatLfsPointer } from '../../git/trees/lfs-pointer.ts';
import { lfsPointers } from '../../git/trees/lfs-pointers.ts';
import { readyRepositories } from '../../repositories/doctor/folders.ts';
import { collectLater } from './collect.ts';
import { unlinkObjects } from './links.ts';

/** Younger links stay: an object is uploaded before the commit that names it, and a branch may be deleted by mistake. */
const YOUNG_SECONDS = 7 * 24 * 60 * 60;
/** Time until the pointer of an object is searched again after it was found. */
const SEEN_SECONDS = 3 * 24 * 60 * 60;
const BATCH = 200;

type Linked = Pick<LfsObjectRow, 'id' | 'oid' | 'size'>;

/** The task `gc_lfs`: unlinks objects from repositories in which no Git object is a pointer to them. */
export async function unlinkUnused(context: Context, signal: AbortSignal): Promise<void> {
  if (!context.settings.lfs.enabled) return;
  for await (const repository of readyRepositories(context)) {
    signal.throwIfAborted();
    if (repository.lfs_size > 0) await unlinkUnusedOf(context, repository, signal);
  }
  await collectLater(context);
}

async function unlinkUnusedOf(context: Context, repository: Repository, signal: AbortSignal): Promise<void> {
  const folder = context.git.locate(repository);
  const unseen = new Map<string, Linked>();
  for (let after = 0; ; ) {
    const rows = await dueLinks(context, repository.id, after);
    const seen: number[] = [];
    for (const row of rows) {
      signal.throwIfAborted();
      if (await hasPlainPointer(context, folder, row)) seen.push(row.id);
      else unseen.set(row.oid, row);
    }
    await markSeen(context, repository.id, seen);
    after = rows.at(-1)?.id ?? after;
    if (rows.length < BATCH) break;
  }
  if (unseen.size === 0) return;
  // A pointer may have other fields or line ends, so all pointers have to be read.
  const found: number[] = [];
  const bounds = { timeoutMs: context.settings.git.maintenanceTimeout, signal };
  for await (const { oid } of lfsPointers(folder, context.git.pool, undefined, bounds)) {
    const row = unseen.get(oid);
    if (row) found.push(row.id);
    unseen.delete(oid);
  }
  await markSeen(context, repository.id, found);
  await unlinkObjects(
    context,
    repository.id,
    [...unseen.values()].map(({ id }) => id),
  );
}

async function dueLinks({ db }: Context, repositoryId: number, after: number): Promise<Linked[]> {
  return await db
    .selectFrom('lfs_links')
    .innerJoin('lfs_objects', 'lfs_objects.id', 'lfs_links.object_id')
    .select(['lfs_objects.id', 'lfs_objects.oid', 'lfs_objects.size'])
    .where('lfs_links.repository_id', '=', repositoryId)
    .where('lfs_links.object_id', '>', after)
    .where('lfs_links.created_at', '<=', now() - YOUNG_SECONDS)
    .where('lfs_links.seen_at', '<=', now() - SEEN_SECONDS)
    .orderBy('lfs_links.object_id')
    .limit(BATCH)
    .execute();
}

/** Whether git has the pointer in the form in which clients write it. */
async function hasPlainPointer({ git }: Context, folder: GitRepository, pointer: Linked): Promise<boolean> {
  const { oid } = newObject(folder.objectFormat, 'blob', Buffer.from(formatLfsPointer(pointer)));
  return (await git.pool.info(folder, oid)) !== undefined;
}

async function markSeen({ db }: Context, repositoryId: number, ids: readonly number[]): Promise<void> {
  for (let at = 0; at < ids.length; at += BATCH) {
    await db
      .updateTable('lfs_links')
      .set({ seen_at: now() })
      .where('repository_id', '=', repositoryId)
      .where('object_id', 'in', ids.slice(at, at + BATCH))
      .execute();
  }
}
