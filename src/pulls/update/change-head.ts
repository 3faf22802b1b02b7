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
import { type BranchTip, onBranchTip } from '../../git/edit/branch-tip.ts';
import { BranchNotFoundError } from '../../git/edit/change-errors.ts';
import { copyCommits } from '../../git/objects/copy-objects.ts';
import type { Signature } from '../../git/objects/format-identity.ts';
import { inQuarantine, type Quarantine } from '../../git/objects/quarantine.ts';
import { updateRef } from '../../git/refs/update-refs.ts';
import { type GitRepository, joinRepositories } from '../../git/repository.ts';
import { conflict, forbidden, HttpError, unprocessable } from '../../http/errors.ts';
import type { Committing } from '../../repositories/signing/committing.ts';
import type { Pull } from '../find.ts';
import { baseTip } from '../mergeability/check.ts';
import { findUpdater } from './may-update.ts';

/** An update of the head of a pull request from its base. */
export interface HeadChange extends Committing {
  /** The repository of the head; the quarantine has further objects. */
  readonly folder: GitRepository;
  readonly quarantine: Quarantine;
  /** The commits of the two branches. */
  readonly base: string;
  readonly tip: string;
  readonly author: Signature;
}

/** Creates the new commit of the head. */
type Make = (change: HeadChange) => Promise<string>;

/**
 * Updates the head of a pull request from its base, in the caller's name, if the rules allow it.
 * @param rewrites the update discards commits of the head
 * @param make creates the new commit of the head; it is called again when a branch has moved meanwhile
 * @throws HttpError 403 without the right to push to the head, 409 when there is nothing to update, 422 when it is closed
 */
export async function changeHead(context: Context, pull: Pull, { rewrites }: { rewrites: boolean }, make: Make): Promise<void> {
  if (pull.merged_commit_id !== '') throw unprocessable('the pull request is merged already');
  if (pull.issue.is_closed) throw unprocessable('the pull request is closed');
  const found = await findHead(context, pull, { rewrites });
  if (!found) throw new HttpError(403, 'forbidden', { body: '' });
  const { head, updater } = found;
  const folder = context.git.locate(head);
  const baseFolder = context.git.locate(pull.issue.repository);
  const change = async ({ parent: tip, ref }: BranchTip): Promise<void> => {
    const base = baseTip(context, pull);
    if (tip === null || base === undefined) throw conflict('a branch of the pull request is gone');
    if (!(await isRewritten(joinRepositories(folder, baseFolder), base, tip))) throw conflict('the head branch is up to date');
    const to = await makeAllowed(context, pull, head, updater, { base, tip, ref, make });
    if (head.id !== pull.repository_id)
      await announceCopy(context, { repository: head, sourceId: pull.repository_id, head: base, without: tip });
    await moveRefs(context, head, [{ ref, oldId: tip, newId: to }], () => updateRef(folder, { name: ref, to, from: tip }));
  };
  try {
    await withRefErrors(() => onBranchTip(folder, { branch: pull.head_branch }, change));
  } catch (error) {
    if (error instanceof BranchNotFoundError) throw conflict('a branch of the pull request is gone');
    throw error;
  }
}

/** Whether the caller may update the head from the base. */
export async function mayChangeHead(context: Context, pull: Pull, { rewrites }: { rewrites: boolean }): Promise<boolean> {
  return context.actor !== null && (await findHead(context, pull, { rewrites })) !== undefined;
}

async function findHead(
  context: Context,
  pull: Pull,
  { rewrites }: { rewrites: boolean },
): Promise<{ head: Repository; updater: Pusher } | undefined> {
  const head = await headRepository(context, pull);
  if (!head || head.is_archived || head.is_mirror) return undefined;
  // A token limited to public resources does not reach a private fork.
  if (context.signIn.token?.publicOnly && !isPublicRepository(head)) return undefined;
  const updater = await findUpdater(context, pull, head, signedInActor(context), { rewrites });
  return updater && { head, updater };
}

/** The repository of a pull request's head, if it still exists. */
export async function headRepository(
  { db }: Pick<Context, 'db'>,
  { head_repository_id: id, issue }: Pull,
): Promise<Repository | undefined> {
  if (id === issue.repository_id) return issue.repository;
  return id === null ? undefined : findRepository(db, id);
}

/** Creates the commit, if protections allow it; a refused one leaves nothing behind. */
async function makeAllowed(
  context: Context,
  pull: Pull,
  head: Repository,
  updater: Pusher,
  { base, tip, ref, make }: { base: string; tip: string; ref: string; make: Make },
): Promise<string> {
  const { git, settings } = context;
  const folder = git.locate(head);
  return inQuarantine(folder, async (quarantine) => {
    if (head.id !== pull.repository_id) {
      await copyCommits(git.locate(pull.issue.repository), folder, quarantine, { want: base, have: tip }, settings.git.timeout);
    }
    const within = { ...folder, quarantine: quarantine.env };
    const author = gitSignature(context, signedInActor(context));
    const approvals = async () => 0;
    const committing = await signingFor(context, head, { kind: 'merge', base: tip, head: base, approvals }, author, within);
    const to = await make({ folder, quarantine, base, tip, author, ...committing });
    const refusal = await decidePush(context, head, within, updater, [{ ref, before: tip, after: to }]);
    if (refusal) throw forbidden(refusal.message);
    return to;
  });
}
