import type { Repository } from '../../access/find-repository.ts';
import { findUserById } from '../../access/find-user.ts';
import { repositoryAccess } from '../../access/repository-access.ts';
import { branchRule, mayForcePush, mayPush, type Pusher, pusherOf } from '../../code/protections/rules.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { Pull } from '../find.ts';
import { mayMergePull } from '../merge/ready.ts';

/**
 * The user whose rights apply when somebody updates the head of a pull request: themselves, or, if the author allows maintainers to push, the
 * author (for this branch only).
 * @param rewrites a rebase needs the right to rewrite the branch
 * @returns undefined when they may not
 */
export async function findUpdater(
  context: Context,
  pull: Pull,
  head: Repository,
  user: User,
  { rewrites }: { rewrites: boolean },
): Promise<Pusher | undefined> {
  const settings = pull.issue.repository.units.pulls;
  if (!settings || pull.flow !== 'branch' || (rewrites && !settings.allowRebaseUpdate)) return undefined;
  const own = await pusherInto(context, head, pull.head_branch, user, rewrites);
  if (own || !pull.allow_maintainer_edit || !(await isMaintainer(context, pull, user))) return own;
  const author = await findUserById(context.db, pull.issue.author_id);
  return author && (await pusherInto(context, head, pull.head_branch, author, rewrites));
}

/** Users who may merge and write: a protection's list alone gives no write access. */
async function isMaintainer(context: Context, pull: Pull, user: User): Promise<boolean> {
  const access = await repositoryAccess(context, pull.issue.repository, user);
  return access.canWrite('code') && (await mayMergePull(context, pull, user));
}

async function pusherInto(
  context: Context,
  repository: Repository,
  branch: string,
  user: User,
  rewrites: boolean,
): Promise<Pusher | undefined> {
  const access = await repositoryAccess(context, repository, user);
  if (!access.canWrite('code')) return undefined;
  const pusher = await pusherOf(context, repository, user, access);
  const rule = await branchRule(context, repository, branch);
  const may = !rule || (rewrites ? mayForcePush : mayPush)(rule, pusher);
  return may ? pusher : undefined;
}
