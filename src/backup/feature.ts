import { now } from '../clock.ts';
import type { Context } from '../context.ts';
import { feature } from '../feature.ts';
import type { JobType } from '../jobs/jobs.ts';
import { isCleanupHeld } from '../processes/cleanup-hold.ts';
import { HeldStorage } from './hold/held-storage.ts';

/** Jobs that postpone themselves while a backup is being made. */
const HELD_JOBS: readonly JobType[] = ['repository.remove-folder', 'repository.purge'];

/** Cleans up what was held for backups that have ended, successfully or not. */
export async function cleanUpAfterBackups({ storage, processes, db, wakeUps }: Context): Promise<void> {
  if (await isCleanupHeld(db)) return;
  await db
    .deleteFrom('backup_ref_moves')
    .where((where) => where.not(where.exists(where.selectFrom('backups').select('id'))))
    .execute();
  // Removals that came during the backup wait some time.
  const waiting = db.updateTable('jobs').set({ due_at: now() }).where('type', 'in', HELD_JOBS).where('process_id', 'is', null);
  await waiting.where('due_at', '>', now()).execute();
  wakeUps.wake('jobs');
  if (storage instanceof HeldStorage) await storage.removeHeld(processes.id);
}

export const backup = feature({
  name: 'backup',
  schedules: { archive_cleanup: cleanUpAfterBackups },
});
