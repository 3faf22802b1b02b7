import { findRepository, isPublicRepository, type Repository } from '../../access/find-repository.ts';
import { gitSignature } from '../../accounts/git-signature.ts';
import { signedInActor } from '../../accounts/sign-in/actor.ts';
import { announceCopy } from '../../code/announce-copy.ts';
import { decidePush, type Pusher } from '../../code/protections/decide.ts';
import { isRewritten } from '../../code/protections/pushed.ts';
import { withRefErrors } from '../../code/ref-errors.ts';
import { moveRefs } from '../../code/refs-moved.ts';
import { signingFor } from '../../code/signing/signing-for.ts';
import type { Context } from '../../context.ts';
import { type BranchTip, onBranchTip } from '../../git/branch-tip.ts';
import { BranchNotFoundError } from '../../git/change-errors.ts';
import { copyCommits } from '../../git/copy-objects.ts';
import { MergeConflictError, mergeCommitWithin } from '../../git/merge.ts';
import { UnrelatedHistoriesError } from '../../git/merge-trees.ts';
import { rebaseCommitsWithin, TooManyCommitsError } from '../../git/pick.ts';
import { inQuarantine } from '../../git/quarantine.ts';
import { joinRepositories } from '../../git/repository.ts';
import { updateRef } from '../../git/update-refs.ts';
import { conflict, forbidden, HttpError, unprocessable } from '../../http/errors.ts';
import type { Pull } from '../find.ts';
import { baseTip } from '../mergeability/check.ts';
import { findUpdater } from './may-update.ts';

/** How the base comes into the head. */
export type UpdateStyle = 'merge' | 'rebase';

/**
 * Brings the commits of the base into the head of a pull request, in the caller's name: by a merge, or by rebasing the head's commits onto
 * the base.
 * @throws HttpError 403 for who may not push to the head, 409 for conflicts and when there is nothing to bring, 422 when it is closed
 */
export async function updatePull(context: Context, pull: Pull, style: UpdateStyle): Promise<void> {
  if (pull.merged_commit_id !== '') throw unprocessable('the pull request is merged already');
  if (pull.issue.is_closed) throw unprocessable('the pull request is closed');
  const head = await headRepository(context, pull);
  const updater = head && (await findUpdater(context, pull, head, signedInActor(context), { rewrites: style === 'rebase' }));
  // A token for public things does not reach a private fork.
  const isHidden = context.signIn.token?.publicOnly && head && !isPublicRepository(head);
  if (!head || !updater || isHidden || head.is_archived || head.is_mirror) throw new HttpError(403, 'forbidden', { body: '' });
  const folder = context.git.locate(head);
  const baseFolder = context.git.locate(pull.issue.repository);
  const change = async ({ parent: tip, ref }: BranchTip): Promise<void> => {
    const base = baseTip(context, pull);
    if (tip === null || base === undefined) throw conflict('a branch of the pull request is gone');
    if (!(await isRewritten(joinRepositories(folder, baseFolder), base, tip))) throw conflict('the head branch is up to date');
    const to = await makeUpdate(context, pull, head, updater, { style, base, tip, ref });
    if (head.id !== pull.repository_id)
      await announceCopy(context, { repository: head, sourceId: pull.repository_id, head: base, without: tip });
    await moveRefs(context, head, [{ ref, oldId: tip, newId: to }], () => updateRef(folder, { name: ref, to, from: tip }));
  };
  await withUpdateErrors(style, () => withRefErrors(() => onBranchTip(folder, { branch: pull.head_branch }, change)));
}

async function headRepository({ db }: Context, { head_repository_id: id, issue }: Pull): Promise<Repository | undefined> {
  if (id === issue.repository_id) return issue.repository;
  return id === null ? undefined : findRepository(db, id);
}

/** Makes the commit that the head is to stand on, if protections let it; of what is refused nothing stays. */
async function makeUpdate(
  context: Context,
  pull: Pull,
  head: Repository,
  updater: Pusher,
  { style, base, tip, ref }: { style: UpdateStyle; base: string; tip: string; ref: string },
): Promise<string> {
  const { git, settings } = context;
  const folder = git.locate(head);
  return inQuarantine(folder, async (quarantine) => {
    if (head.id !== pull.repository_id) {
      await copyCommits(git.locate(pull.issue.repository), folder, quarantine, { want: base, have: tip }, settings.git.timeout);
    }
    const within = { ...folder, quarantine: quarantine.env };
    const person = gitSignature(context, signedInActor(context));
    const approvals = async () => 0;
    const committing = await signingFor(context, head, { kind: 'merge', base: tip, head: base, approvals }, person, within);
    const message = `Merge branch '${pull.base_branch}' into ${pull.head_branch}\n`;
    const to =
      style === 'merge'
        ? await mergeCommitWithin(folder, quarantine, { into: tip, from: base, author: person, ...committing, message })
        : (await rebaseCommitsWithin(folder, quarantine, tip, { onto: base, ...committing, objects: git.pool })).head;
    const refusal = await decidePush(context, head, within, updater, [{ ref, before: tip, after: to }]);
    if (refusal) throw forbidden(refusal.message);
    return to;
  });
}

async function withUpdateErrors(style: UpdateStyle, update: () => Promise<void>): Promise<void> {
  try {
    await update();
  } catch (error) {
    if (error instanceof MergeConflictError || error instanceof UnrelatedHistoriesError)
      throw conflict(`${style} failed because of conflict`);
    if (error instanceof TooManyCommitsError) throw unprocessable(`the pull request has ${error.message}`);
    if (error instanceof BranchNotFoundError) throw conflict('a branch of the pull request is gone');
    throw error;
  }
}
