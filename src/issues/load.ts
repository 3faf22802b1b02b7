import type { Repository } from '../access/find-repository.ts';
import type { Context } from '../context.ts';
import { type HttpError, notFound } from '../http/errors.ts';
import { pathId } from '../http/path-id.ts';
import { canReadIssue, findIssue, type Issue, type IssueInput } from './find.ts';

/**
 * The issue or pull request of a path, for routes whose 404 names the missing one.
 * @throws HttpError 404
 */
export async function loadIssue({ repository, access, params }: IssueInput, { db }: Pick<Context, 'db'>, message?: string): Promise<Issue> {
  const number = pathId(params.index);
  const issue = await findIssue(db, repository, number);
  if (!issue || !canReadIssue(access, issue)) throw missingIssue(repository, number, message);
  return issue;
}

/** The 404 that names the missing issue. */
export function missingIssue(repository: Pick<Repository, 'id'>, number: number, message?: string): HttpError {
  const [repositoryId, index] = number > 0 ? [repository.id, number] : [0, 0];
  return notFound([`issue does not exist [id: 0, repo_id: ${repositoryId}, index: ${index}]`], message);
}
