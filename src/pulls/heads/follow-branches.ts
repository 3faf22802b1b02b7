import type { Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import type { Events } from '../../events/events.ts';
import { HttpError } from '../../http/errors.ts';
import { isBlocked } from '../../issues/dependencies/dependencies.ts';
import { changingIssue } from '../../issues/find.ts';
import { closeIssue } from '../../issues/state.ts';
import { addEvent } from '../../issues/timeline/events.ts';
import { type Pull, withIssues } from '../find.ts';
import { prepareRetarget, retarget } from '../retarget.ts';
import { branchTip } from './tips.ts';

/** Closes a pull request whose head branch was deleted, as {@link closeFor} does. */
export async function closeIfHeadDeleted(context: Context, pull: Pull, head: Repository, deletedAt?: number): Promise<void> {
  if ((await branchTip(context, head, pull.head_branch)) !== undefined) return;
  await closeFor(context, pull, pull.head_branch, deletedAt);
}

/**
 * Retargets a pull request whose base branch was deleted to the branch that this one was merged into, else to the default branch; if the
 * settings say so, it is closed instead, as {@link closeFor} does. One that cannot be retargeted stays unchanged.
 */
export async function retargetIfBaseDeleted(context: Context, pull: Pull, deletedAt?: number): Promise<void> {
  const { repository } = pull.issue;
  if ((await branchTip(context, repository, pull.base_branch)) !== undefined) return;
  if (!context.settings.pulls.retargetChildren) return closeFor(context, pull, pull.base_branch, deletedAt);
  const target = await newBase(context, repository, pull.base_branch);
  if (!target) return;
  try {
    const move = await prepareRetarget(context, pull, target.branch, target.tip);
    await changingIssue(context, pull.issue, async (context, issue) => {
      if (!issue.is_closed) await retarget(context, pull, issue, move);
    });
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    context.log.info({ pull: pull.id, reason: error.message }, 'a pull request stays without its base');
  }
}

async function newBase(context: Context, repository: Repository, gone: string): Promise<{ branch: string; tip: string } | undefined> {
  const merged = await context.db
    .selectFrom('pull_requests')
    .innerJoin('issues', 'issues.id', 'pull_requests.issue_id')
    .select('pull_requests.base_branch')
    .where('pull_requests.head_repository_id', '=', repository.id)
    .where('pull_requests.head_branch', '=', gone)
    .where('pull_requests.repository_id', '=', repository.id)
    .where('pull_requests.flow', '=', 'branch')
    .where('pull_requests.merged_commit_id', '!=', '')
    .orderBy('issues.merged_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  for (const branch of [merged?.base_branch ?? repository.default_branch, repository.default_branch]) {
    const tip = await branchTip(context, repository, branch);
    if (tip !== undefined) return { branch, tip };
  }
  return undefined;
}

/**
 * A pull request that is blocked by others stays open, and so does one that was reopened since.
 * @param deletedAt when the branch was deleted, in seconds, if that may be a while ago
 */
async function closeFor(context: Context, pull: Pull, branch: string, deletedAt?: number): Promise<void> {
  await changingIssue(context, pull.issue, async (context, issue) => {
    if (issue.is_closed || (await isBlocked(context, issue))) return;
    if (deletedAt !== undefined && (await wasReopenedSince(context, issue.id, deletedAt))) return;
    await closeIssue(context, issue);
    await addEvent(context, issue, 'delete_branch', { old_ref: branch });
  });
}

async function wasReopenedSince({ db }: Context, issueId: number, since: number): Promise<boolean> {
  const row = await db
    .selectFrom('comments')
    .select('id')
    .where('issue_id', '=', issueId)
    .where('kind', '=', 'reopen')
    .where('created_at', '>=', since)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Closes the open pull requests from a repository to others, in the transaction that deletes it. */
export async function closeFromDeleted({ repositoryId }: Events['repository.deleting'], context: Context): Promise<void> {
  const rows = await context.db
    .selectFrom('pull_requests')
    .innerJoin('issues', 'issues.id', 'pull_requests.issue_id')
    .selectAll('pull_requests')
    .where('pull_requests.head_repository_id', '=', repositoryId)
    .where('pull_requests.repository_id', '!=', repositoryId)
    .where('issues.is_closed', '=', false)
    .orderBy('pull_requests.repository_id')
    .execute();
  for (const { issue } of await withIssues(context.db, rows)) {
    await changingIssue(context, issue, async (context, issue) => {
      if (!(await isBlocked(context, issue))) await closeIssue(context, issue, { isHeadBeingDeleted: true });
    });
  }
}

/** Changes the branch name of unmerged pull requests of a renamed branch, in the transaction of the rename. */
export async function followRename({ repositoryId, from, to }: Events['branch.renamed'], { db }: Context): Promise<void> {
  await db
    .updateTable('pull_requests')
    .set({ base_branch: to })
    .where('repository_id', '=', repositoryId)
    .where('base_branch', '=', from)
    .where('merged_commit_id', '=', '')
    .execute();
  await db
    .updateTable('pull_requests')
    .set({ head_branch: to })
    .where('head_repository_id', '=', repositoryId)
    .where('head_branch', '=', from)
    .where('flow', '=', 'branch')
    .where('merged_commit_id', '=', '')
    .execute();
}
