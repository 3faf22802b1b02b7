import { readdir, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findRepository } from '../access/find-repository.ts';
import { findUserById } from '../access/find-user.ts';
import { now } from '../clock.ts';
import { internalContext, type Services } from '../context.ts';
import type { RefUpdate } from '../events/events.ts';
import { isValidRefName } from '../git/ref-names.ts';
import { type GitRepository, zeroObjectId } from '../git/repository.ts';
import { storedRef } from '../git/stored-refs.ts';
import { refsMoved } from './refs-moved.ts';

/** A move that was announced longer ago than this, in seconds, is nobody's any more: no push may take so long. */
const ABANDONED_AFTER = 8 * 24 * 3600;
/** A lock that is older than this belongs to nobody: git and we hold one for milliseconds. */
const LOCK_AGE_MS = 3000;

/**
 * Finishes what a crash interrupted: for every move of refs that was announced and not told of by a process that is gone, looks
 * at what git has, and tells of what did move. Locks and quarantines that the dead left in these repositories are cleared away.
 * Called at the start, before anything is written.
 */
export async function recoverMoves(services: Services): Promise<void> {
  const { db, dialect } = services.database;
  const announced = await db.selectFrom('ref_moves').selectAll().orderBy('id').execute();
  // SQLite has one process, so whatever is there was left by another one.
  const rows = announced.filter((row) => dialect === 'sqlite' || isGone(row.process) || row.created_at < now() - ABANDONED_AFTER);
  for (const row of rows) {
    const repository = await findRepository(db, row.repository_id);
    const doer = await findUserById(db, row.doer_id);
    if (!repository) {
      await db.deleteFrom('ref_moves').where('id', '=', row.id).execute();
      continue;
    }
    const folder = services.git.locate(repository);
    await clearLocks(folder, row.updates);
    await clearQuarantines(folder, row.created_at);
    const none = zeroObjectId(folder.objectFormat);
    const moved = row.updates.filter(({ ref, newId }) => isValidRefName(ref) && (storedRef(folder, ref) ?? none) === newId);
    const move = { id: row.id, updates: row.updates };
    await refsMoved(internalContext(services, doer ?? null), repository, moved, { move, pushOptions: row.push_options });
    services.log.warn(
      { repository: repository.id, moved: moved.length, announced: row.updates.length },
      'finished an interrupted change of refs',
    );
  }
}

/** Whether a process of this machine, as refs-moved.ts names it, is gone; of other machines nobody knows. */
export function isGone(name: string): boolean {
  const [host, pid] = name.split(' ');
  if (host !== hostname() || Number(pid) === process.pid) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

async function clearLocks(folder: GitRepository, updates: readonly RefUpdate[]): Promise<void> {
  const names = ['packed-refs', 'HEAD', ...updates.map(({ ref }) => ref).filter(isValidRefName)];
  for (const name of names) {
    const path = join(folder.path, `${name}.lock`);
    const seen = await stat(path).catch(() => undefined);
    if (!seen) continue;
    // A git that outlived the server may still be at work.
    await sleep(Math.max(0, Math.min(LOCK_AGE_MS, LOCK_AGE_MS - (Date.now() - seen.mtimeMs))));
    const again = await stat(path).catch(() => undefined);
    if (again?.ino === seen.ino && again.mtimeMs === seen.mtimeMs) await rm(path, { force: true });
  }
}

async function clearQuarantines(folder: GitRepository, announcedAt: number): Promise<void> {
  const objects = join(folder.path, 'objects');
  for (const name of await readdir(objects).catch(() => [])) {
    if (!name.startsWith('tmp_objdir-')) continue;
    const made = await stat(join(objects, name)).catch(() => undefined);
    if (made && made.birthtimeMs / 1000 < announcedAt + 1) await rm(join(objects, name), { recursive: true, force: true });
  }
}
