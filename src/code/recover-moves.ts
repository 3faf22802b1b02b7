import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Selectable } from 'kysely';
import { findRepository } from '../access/find-repository.ts';
import { findUserById } from '../access/find-user.ts';
import { internalContext, type Services } from '../context.ts';
import type { RefMovesTable } from '../database/tables/code.ts';
import { orphansEnded } from '../git/maintenance/orphans.ts';
import { isValidRefName } from '../git/refs/ref-names.ts';
import type { RefUpdate } from '../git/refs/ref-update.ts';
import { storedRefs } from '../git/refs/stored-refs.ts';
import { type GitRepository, zeroObjectId } from '../git/repository.ts';
import { RECOVERY_PAUSE_MS, releaseLater } from '../processes/release.ts';
import { applyMove, releaseOf } from './refs-moved.ts';
import { lastLockOfOthers } from './sweep.ts';

/** How long git may run after its server has died, in milliseconds: it holds a lock on a ref for a moment. */
const ORPHAN_WAIT_MS = 3000;

/**
 * Completes what a crash interrupted: for every ref update that a process announced before it died, compares it with git, and emits the
 * event for what did move. Stale locks of the process on these refs are deleted.
 */
export async function recoverMoves(services: Services): Promise<void> {
  const { db } = services.database;
  const rows = await db.selectFrom('ref_moves').selectAll().where('process_id', 'is', null).orderBy('id').execute();
  for (const row of rows) {
    const claimed = await db
      .updateTable('ref_moves')
      .set({ process_id: services.processes.id })
      .where('id', '=', row.id)
      .where('process_id', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (!claimed) continue;
    try {
      await recover(services, row);
    } catch (error) {
      services.log.error({ move: row.id, err: error }, 'an interrupted change of refs could not be finished');
      void releaseLater(services, releaseOf(row), RECOVERY_PAUSE_MS);
    }
  }
}

async function recover(services: Services, row: Selectable<RefMovesTable>): Promise<void> {
  const { db } = services.database;
  const repository = await findRepository(db, row.repository_id);
  const actor = await findUserById(db, row.actor_id);
  if (!repository) {
    await db.deleteFrom('ref_moves').where('id', '=', row.id).execute();
    return;
  }
  const folder = services.git.locate(repository);
  await clearLocks(folder, row.updates, lastLockOfOthers(services, repository.id));
  const none = zeroObjectId(folder.objectFormat);
  const announced = row.updates.filter(({ ref }) => isValidRefName(ref));
  const current = await storedRefs(
    folder,
    announced.map(({ ref }) => ref),
  );
  const moved = announced.filter(({ ref, newId }) => (current.get(ref) ?? none) === newId);
  const move = { id: row.id, updates: row.updates };
  await applyMove(internalContext(services, actor ?? null), repository, moved, { move, pushOptions: row.push_options });
  services.log.warn(
    { repository: repository.id, moved: moved.length, announced: row.updates.length },
    'finished an interrupted change of refs',
  );
}

/** Deletes the existing locks if they do not change while a git that has outlived its server may be running. */
async function clearLocks(folder: GitRepository, updates: readonly RefUpdate[], before: number): Promise<void> {
  const names = ['packed-refs', 'HEAD', ...updates.map(({ ref }) => ref).filter(isValidRefName)];
  const seen = new Map<string, number>();
  for (const name of names) {
    const path = join(folder.path, `${name}.lock`);
    const state = await stat(path).catch(() => undefined);
    if (state && state.mtimeMs <= before) seen.set(path, state.ino);
  }
  if (seen.size > 0) await orphansEnded(folder.path, ORPHAN_WAIT_MS);
  for (const [path, ino] of seen) if ((await stat(path).catch(() => undefined))?.ino === ino) await rm(path, { force: true });
}
