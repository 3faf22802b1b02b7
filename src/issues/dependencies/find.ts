import { findRepositoryOf } from '../../access/find-repository.ts';
import { findUser } from '../../access/find-user.ts';
import { repositoryAccess } from '../../access/repository-access.ts';
import type { Context } from '../../context.ts';
import { badRequest, notFound } from '../../http/errors.ts';
import { canReadIssue, findIssue, type IssueInput } from '../find.ts';
import { missingIssue } from '../load.ts';
import type { End } from './dependencies.ts';

/** The message of the 404 for a missing issue. */
export const MISSING = 'IsErrIssueNotExist';

/**
 * The issue at the other end of a dependency; another repository's if the instance allows that.
 * @param from the repository of the first issue
 * @throws HttpError 404 if the caller may not see it, 400 for another repository where that is not allowed
 */
export async function dependencyEnd(
  context: Context,
  { repository, access }: Pick<IssueInput, 'repository' | 'access'>,
  { owner, repo, index }: { owner: string; repo: string; index: number },
): Promise<End> {
  if (owner.toLowerCase() === repository.owner.lower_name && repo.toLowerCase() === repository.lower_name) {
    const issue = await findIssue(context.db, repository, index);
    if (!issue || !canReadIssue(access, issue)) throw missingIssue(repository, index, MISSING);
    return { issue, access };
  }
  if (!context.settings.issues.crossRepositoryDependencies) throw badRequest('CrossRepositoryDependencies not enabled');
  const account = await findUser(context.db, owner);
  const other = account && (await findRepositoryOf(context.db, account, repo));
  const otherAccess = other && (await repositoryAccess(context, other, context.actor));
  if (!other || !otherAccess?.isVisible) {
    throw notFound([`repository does not exist [id: 0, uid: 0, owner_name: ${owner}, name: ${repo}]`], 'IsErrRepoNotExist');
  }
  const issue = await findIssue(context.db, other, index);
  if (!issue || !canReadIssue(otherAccess, issue)) throw missingIssue(other, index, MISSING);
  return { issue, access: otherAccess };
}
