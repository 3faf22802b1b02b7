import { findRepository } from '../access/find-repository.ts';
import { repositoryAccess } from '../access/repository-access.ts';
import { type Context, inTransaction } from '../context.ts';
import { forbidden, notFoundBecause, unprocessable } from '../http/errors.ts';
import { editIssue, type IssueChanges, refuseStale } from '../issues/edit.ts';
import { changingIssue } from '../issues/find.ts';
import { isDraftTitle } from '../issues/present.ts';
import { refuseOnceMerged } from '../issues/state.ts';
import { requestCodeOwners } from './code-owners/request-reviews.ts';
import { findPullById, type Pull } from './find.ts';
import { branchTip } from './heads/tips.ts';
import { prepareRetarget, type Retarget, retarget } from './retarget.ts';

/** The changes of a pull request; undefined leaves a field unchanged. */
export interface PullChanges extends Omit<IssueChanges, 'ref'> {
  /** The new base branch. That of a merged one stays. */
  base?: string | undefined;
  allowMaintainerEdit?: boolean | undefined;
}

/**
 * Changes a pull request, all or nothing.
 * @throws HttpError as editIssue does; 404 for a base that is not a branch; 409, 412 and 422 for what its state does not allow
 */
export async function editPull(context: Context, pull: Pull, changes: PullChanges): Promise<Pull> {
  const { base, allowMaintainerEdit, ...ofIssue } = changes;
  refuseStale(pull.issue, ofIssue.contentVersion);
  if (ofIssue.state !== undefined) refuseOnceMerged(pull.issue);
  const move =
    base && pull.merged_commit_id === '' && base !== pull.base_branch ? await prepare(context, pull, base, changes.state) : undefined;
  if (allowMaintainerEdit !== undefined) await requireOwnHead(context, pull);
  const changed = await inTransaction(context, async (context) => {
    await editIssue(context, pull.issue, ofIssue);
    if (move) await changingIssue(context, pull.issue, (context, issue) => retarget(context, pull, issue, move));
    if (allowMaintainerEdit !== undefined) {
      const set = { allow_maintainer_edit: allowMaintainerEdit };
      await context.db.updateTable('pull_requests').set(set).where('id', '=', pull.id).execute();
    }
    const changed = await findPullById(context.db, pull.id);
    if (!changed) throw new Error('a pull request was lost on its way');
    return changed;
  });
  // Code owners are requested once it is not a draft any more.
  if (isDraftTitle(context.settings.pulls.workInProgressPrefixes, pull.issue.title)) await requestCodeOwners(context, changed);
  return changed;
}

async function prepare(context: Context, pull: Pull, base: string, state: PullChanges['state']): Promise<Retarget> {
  const { issue } = pull;
  const tip = await branchTip(context, issue.repository, base);
  if (tip === undefined) throw notFoundBecause(`new base '${base}' not exist`);
  const isClosed = state === undefined ? issue.is_closed : state === 'closed';
  if (isClosed) {
    throw unprocessable(`Pull Request [id: ${issue.id}, repo_id: ${issue.repository_id}, index: ${issue.number}] is already closed`);
  }
  return prepareRetarget(context, pull, base, tip);
}

/** Requires the right to decide who may push to the head: its author's, as long as they may write there. */
async function requireOwnHead(context: Context, { issue, head_repository_id: id }: Pull): Promise<void> {
  const { actor, db } = context;
  const head = actor && issue.author_id === actor.id && id !== null ? await findRepository(db, id) : undefined;
  const mayWrite = head && (await repositoryAccess(context, head, actor)).canWrite('code');
  if (!mayWrite) throw forbidden('SetAllowEdits: user not allowed to do this action');
}
