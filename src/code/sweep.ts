import { basename } from 'node:path';
import type { Services } from '../context.ts';
import { sweepLeftovers } from '../git/maintenance/leftovers.ts';
import { orphansEnded } from '../git/maintenance/orphans.ts';
import type { WriterNotes } from '../git/writers.ts';

const CONCURRENCY = 4;
/** A lock on a ref is held for milliseconds; one of a living process is never this old, and one of a process that was found dead is. */
const LOCK_AGE_MS = 5000;
/** How long git may run after its server has died, in milliseconds. */
const ORPHAN_WAIT_MS = 5000;

/** The folders of repositories that a process was writing to. */
interface Written extends Pick<WriterNotes, 'forget'> {
  readonly paths: readonly string[];
}

/**
 * Deletes the locks and temporary files of dead processes from the repositories that they were writing to. Files that may belong to a
 * living process are left to the maintenance.
 */
export async function sweepAfterProcesses(services: Services): Promise<void> {
  const { git, processes, log } = services;
  const [living, gone]: [Written[], Written[]] = [[], []];
  for (const volume of git.volumes.all) {
    for (const { process, isOwn, names, forget } of volume.isAvailable ? await volume.writers.list() : []) {
      const notes = { paths: names.map((name) => volume.folderOf(name)), forget };
      if (!isOwn) ((await processes.isAlive(process)) && process !== processes.id ? living : gone).push(notes);
    }
  }
  const shared = new Set(living.flatMap(({ paths }) => paths));
  const paths = [...new Set(gone.flatMap((notes) => notes.paths))];
  let removed = 0;
  const work = async () => {
    for (let path = paths.pop(); path !== undefined; path = paths.pop()) removed += await sweep(services, path, shared.has(path));
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  for (const { forget } of gone) await forget();
  if (removed > 0) log.info({ removed }, 'removed locks and temporary files of processes that are gone');
}

/**
 * Deletes what earlier servers were storing when they were killed. On PostgreSQL others may be storing it still: there the task
 * `archive_cleanup` deletes what is a day old.
 */
export async function sweepStorage({ git, database, storage }: Services): Promise<void> {
  if (database.dialect === 'sqlite') await storage.removeUnfinished((Date.now() - git.volumes.startedAt) / 1000);
}

/**
 * Locks of refs that have not changed since this time, in milliseconds since 1970, belong to dead processes: those of this process are
 * younger than its current writes to the repository, and those of other living ones are held for a moment. On SQLite no other server
 * lives, so that what is older than this one need not be of any age.
 */
export function lastLockOfOthers({ git, database }: Pick<Services, 'git' | 'database'>, repositoryId: number): number {
  const ofDead = (git.gate.busySince(repositoryId) ?? Date.now()) - LOCK_AGE_MS;
  return database.dialect === 'sqlite' ? Math.max(git.volumes.startedAt, ofDead) : ofDead;
}

async function sweep(services: Services, path: string, isShared: boolean): Promise<number> {
  const { log } = services;
  try {
    await orphansEnded(path, ORPHAN_WAIT_MS);
    const locksBefore = lastLockOfOthers(services, Number.parseInt(basename(path), 10));
    // Other files may be in use for long: those of this process are younger than itself.
    const before = Math.min(services.git.volumes.startedAt, locksBefore);
    return await sweepLeftovers({ path }, { before, locksBefore, locksOfRefs: isShared });
  } catch (error) {
    log.warn({ repository: path, err: error }, 'what a process has left in a repository could not be removed');
    return 0;
  }
}
