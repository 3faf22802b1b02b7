import type { Context } from '../../context.ts';
import type { PackageRow } from '../../database/tables/packages.ts';
import { PackageError } from '../errors.ts';

/** The repository of a publishing job: new packages are linked to it. Null for other callers. */
export function repositoryOfJob({ signIn }: Context): number | null {
  return signIn.job?.repositoryId ?? null;
}

/** @throws PackageError 403 for a job and a package of another repository, or of none */
export function refuseOtherJobs(context: Context, { repository_id: linked, is_internal: isInternal }: PackageRow): void {
  const own = repositoryOfJob(context);
  if (own === null || isInternal || linked === own) return;
  throw new PackageError('forbidden', { message: 'the package is not linked to the repository of this job' });
}
