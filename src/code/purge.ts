import { findRepository } from '../access/find-repository.ts';
import type { Context } from '../context.ts';
import { maintain } from '../git/maintenance/maintenance.ts';
import type { GitRepository } from '../git/repository.ts';
import type { JobRun } from '../jobs/job-work.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { HELD_SECONDS, isCleanupHeld } from '../processes/cleanup-hold.ts';
import { removeArchives } from './archives/remove.ts';

/**
 * The job that deletes unreachable objects of a repository and its wiki at once: those written before now, its archives,
 * and the caches of the processes.
 */
export async function purgeRepository(
  { repositoryId }: Jobs['repository.purge'],
  context: Context,
  { signal }: Pick<JobRun, 'signal'>,
): Promise<void> {
  if (await isCleanupHeld(context.db)) {
    await context.jobs.add(context, 'repository.purge', { repositoryId }, { delay: HELD_SECONDS });
    return;
  }
  const repository = await findRepository(context.db, repositoryId);
  if (!repository) return;
  const timeoutMs = context.settings.git.maintenanceTimeout;
  const purge = (folder: GitRepository) => maintain(folder, { full: true, expireUnreachableMs: 0, timeoutMs, signal });
  await purge(context.git.locate(repository));
  if (await context.git.exists(context.git.locateWiki(repository))) await purge(context.git.locateWiki(repository));
  const archives = await context.db.selectFrom('archives').select(['id', 'blob']).where('repository_id', '=', repositoryId).execute();
  await removeArchives(context, archives);
  context.wakeUps.wake('purges');
  context.log.info({ repository: repositoryId, archives: archives.length }, 'removed what was out of reach');
}
