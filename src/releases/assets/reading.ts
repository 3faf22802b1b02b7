import { findRepository, type Repository } from '../../access/find-repository.ts';
import { repositoryAccess } from '../../access/repository-access.ts';
import type { Context } from '../../context.ts';
import { findReleaseById, seesDrafts } from '../find.ts';

/** The repository of a release if the caller may read its files: those of drafts only for users who see drafts. */
export async function readableRelease(context: Context, releaseId: number): Promise<Repository | undefined> {
  const release = await findReleaseById(context.db, releaseId);
  const repository = release && (await findRepository(context.db, release.repository_id));
  if (!repository) return undefined;
  const access = await repositoryAccess(context, repository, context.actor);
  const mayRead = release.is_draft ? seesDrafts(context, access) : access.canRead('releases');
  return mayRead ? repository : undefined;
}
