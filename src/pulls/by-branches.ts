import { findRepositoryOf, type Repository } from '../access/find-repository.ts';
import { findUser } from '../access/find-user.ts';
import type { Context } from '../context.ts';
import { notFound } from '../http/errors.ts';
import { type Pull, withIssues } from './find.ts';

/**
 * The first pull request from a head into a base.
 * @param head branch, owner:branch (in that owner's repository of the same name) or owner/repository:branch
 * @throws HttpError 404
 */
export async function pullOfBranches(context: Context, repository: Repository, base: string, head: string): Promise<Pull> {
  const { db } = context;
  const colon = head.indexOf(':');
  const from = colon < 0 ? repository : await headRepository(context, repository, head.slice(0, colon));
  if (!from) throw notFound();
  const rows = await db
    .selectFrom('pull_requests')
    .selectAll()
    .where('repository_id', '=', repository.id)
    .where('base_branch', '=', base)
    .where('head_repository_id', '=', from.id)
    .where('head_branch', '=', head.slice(colon + 1))
    .orderBy('id')
    .limit(1)
    .execute();
  const [pull] = await withIssues(db, rows);
  if (!pull) throw notFound();
  return pull;
}

async function headRepository({ db }: Context, base: Repository, path: string): Promise<Repository | undefined> {
  const [ownerName = '', name = base.name] = path.split('/');
  const owner = await findUser(db, ownerName);
  return owner && findRepositoryOf(db, owner, name);
}
