import type { Context } from '../context.ts';
import { forbidden, notFound } from '../http/errors.ts';
import type { AnyRoute } from '../http/route.ts';
import { levelOf } from './authenticate.ts';
import { jobLevelsIn } from './job-access.ts';
import type { Loaded } from './load.ts';

const JOBS_STAY = 'the token of a job changes its repository alone';

/**
 * Refuses changes outside of repositories and packages to the token of a job.
 * @throws HttpError 403
 */
export function refuseJob(route: AnyRoute): void {
  if (levelOf(route.method) === 'write' && !isForJobs(route)) throw forbidden(JOBS_STAY);
}

/**
 * Keeps the token of a job to its repository and those that are shared with it, public ones included (specification, "Assignment"). Raw
 * files and Git LFS, which are outside of `/api/v1`, it gets like everybody.
 * @throws HttpError 404 elsewhere, 403 for changes of a shared repository
 */
export async function refuseJobElsewhere(
  { method, path }: AnyRoute,
  { db, signIn: { job } }: Context,
  { repository }: Loaded,
): Promise<void> {
  if (!job || !repository || repository.id === job.repositoryId) return;
  if (!path.startsWith('//')) {
    const levels = await jobLevelsIn(db, [repository], job);
    if (levels(repository).size === 0) throw notFound();
  }
  if (levelOf(method) === 'write') throw forbidden(JOBS_STAY);
}

/** Whether a job may try to make a change there: in its repository, in packages, or where the rules allow it nothing anyway. */
function isForJobs({ path }: AnyRoute): boolean {
  if (path.startsWith('/repos/:owner/:repo')) return !/\/(?:forks|subscription|stopwatch\/\w+)$/.test(path);
  return path === '/user/repos' || /^\/(?:packages|markdown|markup)(?:\/|$)/.test(path);
}
