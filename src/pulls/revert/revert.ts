import { repositoryAccess } from '../../access/repository-access.ts';
import { signedInActor } from '../../accounts/sign-in/actor.ts';
import { Change } from '../../code/contents/branch-commit.ts';
import type { Context } from '../../context.ts';
import { isAncestor } from '../../git/history/log.ts';
import { NothingToPickError, pickChange } from '../../git/merge/pick-change.ts';
import { readCommit } from '../../git/objects/commits.ts';
import { branchRef } from '../../git/refs/ref-names.ts';
import { storedRef } from '../../git/refs/stored-refs.ts';
import { unprocessable } from '../../http/errors.ts';
import { createPull } from '../create.ts';
import type { Pull } from '../find.ts';

/** How many branch names are tried. */
const MAX_BRANCHES = 100;

/**
 * Reverts a merged pull request on a new branch of its repository, and opens a pull request for that.
 * @throws HttpError 403 without write access, 409 for conflicts, 422 if it is not merged or its commits are missing
 */
export async function revertPull(context: Context, pull: Pull): Promise<Pull> {
  const { issue, base_branch: base, merged_commit_id: after } = pull;
  const { repository } = issue;
  const before = await commitBefore(context, pull);
  if (before === undefined) throw unprocessable('the pull request is not merged, or its commits cannot be determined');
  const access = await repositoryAccess(context, repository, signedInActor(context));
  const branch = freeBranch(context, pull);
  const title = `Revert "${issue.title}"`.slice(0, 255);
  const body = `Reverts #${issue.number}.`;
  const change = await Change.begin(context, repository, access, { branch: base, new_branch: branch });
  const message = `${title}\n\nThis reverts pull request #${issue.number}, which was merged as ${after}.`;
  const made = await change.run(undefined, async (check) => {
    return await pickChange(change.folder, { ...change.options, message, from: after, to: before, check }).catch((error: unknown) => {
      if (error instanceof NothingToPickError) throw unprocessable('the branch no longer has commits of this pull request');
      throw error;
    });
  });
  const { commit } = await change.finish(made);
  return createPull(context, {
    base: { repository, branch: base, id: made.parent },
    head: { repository, branch, id: commit.oid },
    flow: 'branch',
    title,
    body,
    assignees: [],
    deadline: null,
    milestoneId: null,
    labelIds: [],
    allowMaintainerEdit: false,
    reviewers: [],
    reviewerTeams: [],
  });
}

/** The base before a pull request was merged. */
async function commitBefore(context: Context, pull: Pull): Promise<string | undefined> {
  const { git } = context;
  const { merged_commit_id: after, checked_base_id: checked, merge_base: ancestor } = pull;
  const folder = git.locate(pull.issue.repository);
  const merged = after === '' ? undefined : await readCommit(folder, git.pool, after);
  if (!merged) return undefined;
  const [first, second] = merged.parents;
  const isRow = pull.merge_style === 'rebase' || pull.merge_style === 'fast-forward-only';
  if (!isRow && (second !== undefined || pull.merge_style === 'squash')) return first;
  // Each parent in turn: the base is the former commit where the merge was found to be possible.
  for (const candidate of [checked, ancestor]) {
    const isThere = candidate !== '' && candidate !== after && (await readCommit(folder, git.pool, candidate));
    if (isThere && (await isAncestor(folder, git.pool, candidate, after))) return candidate;
  }
  return undefined;
}

function freeBranch({ git }: Context, { issue, number }: Pull): string {
  const folder = git.locate(issue.repository);
  for (let attempt = 1; attempt <= MAX_BRANCHES; attempt++) {
    const name = `revert-${number}${attempt === 1 ? '' : `-${attempt}`}`;
    if (storedRef(folder, branchRef(name)) === undefined) return name;
  }
  throw unprocessable('there are too many branches that revert this pull request');
}
