import { findRepository } from '../access/find-repository.ts';
import type { Context } from '../context.ts';
import { maintain } from '../git/maintenance/maintenance.ts';
import type { JobRun } from '../jobs/job-work.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { isCleanupHeld } from '../processes/cleanup-hold.ts';
import { subjects } from '../processes/subjects.ts';
import { folderSize } from '../repositories/size.ts';

/** The job after pushes: packs the repository, and updates its size in the row. */
export async function maintainRepository(
  { repositoryId, isWiki = false, full = false }: Jobs['repository.maintain'],
  context: Context,
  { signal }: Pick<JobRun, 'signal'>,
): Promise<void> {
  const repository = await findRepository(context.db, repositoryId);
  if (!repository) return;
  const folder = isWiki ? context.git.locateWiki(repository) : context.git.locate(repository);
  const { maintenanceTimeout: timeoutMs, unreachableExpiry: expireUnreachableMs } = context.settings.git;
  const isHeld = full && (await isCleanupHeld(context.db));
  const { repacked } = await maintain(folder, { timeoutMs, signal, ...(full && { full, ...(!isHeld && { expireUnreachableMs }) }) });
  if (repacked) {
    await context.git.pool.forget(folder);
    context.wakeUps.notify([subjects.packs(repositoryId)]);
  }
  if (isWiki) return;
  const size = await folderSize(folder.path);
  if (size + repository.lfs_size === repository.size) return;
  // LFS objects may be added and deleted meanwhile.
  await context.db
    .updateTable('repositories')
    .set((row) => ({ size: row('lfs_size', '+', size) }))
    .where('id', '=', repositoryId)
    .execute();
}
