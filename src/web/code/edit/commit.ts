import { findRepository, type Repository } from '../../../access/find-repository.ts';
import { type RepositoryAccess, repositoryAccess } from '../../../access/repository-access.ts';
import { deleteBranch } from '../../../code/branches/change.ts';
import type { ChangeTarget, MadeCommit } from '../../../code/contents/branch-commit.ts';
import { branchFromSource } from '../../../code/contents/propose.ts';
import { escapePath } from '../../../code/escape-path.ts';
import type { Context } from '../../../context.ts';
import { readCommit } from '../../../git/objects/commits.ts';
import { branchRef, isValidBranchName } from '../../../git/refs/ref-names.ts';
import { storedRef } from '../../../git/refs/stored-refs.ts';
import { isObjectId } from '../../../git/repository.ts';
import { HttpError, unprocessable } from '../../../http/errors.ts';
import type { HttpResponse } from '../../../http/responses.ts';
import { seeOther } from '../../page.ts';
import { safeRedirect } from '../../redirects.ts';
import { repositoryPath } from '../../repository/frame.ts';
import type { RepositoryVisit } from '../../resource-pages.ts';
import { codePath } from '../location.ts';
import { type CommitInput, changeTarget } from './commit-fields.ts';
import type { WritableLocation } from './location.ts';

/** The request of a form to the rules, in the repository that takes the commit. */
export type Change = (repository: Repository, access: RepositoryAccess, target: ChangeTarget) => Promise<MadeCommit>;

/** The values of a form. */
export interface CommitForm {
  readonly input: CommitInput;
  /** The default message. */
  readonly message: string;
  /** A commit that the change needs besides the branch. */
  readonly needed?: string;
}

/**
 * Makes the commit of a form: on the branch, on a new one, or on a new one of the reader's fork.
 * @throws HttpError of the rules, with a message for readers if it has none
 */
export async function commit(
  { view }: RepositoryVisit,
  context: Context,
  location: WritableLocation,
  { input, message, needed }: CommitForm,
  change: Change,
): Promise<MadeCommit> {
  const { edit: text } = view.text;
  const { branch, repository: source, target } = location;
  const { repository, access } = target;
  const changes = await changeTarget(context, view, input, message);
  const isNew = !source.is_empty && (input.isNewBranch || target.isFork);
  if (!isNew) return await refusing(text.refused(branch), () => change(repository, access, { ...changes, branch }));
  const name = input.newBranch;
  if (!isValidBranchName(name)) throw unprocessable(text.noBranchName);
  if (storedRef(context.git.locate(repository), branchRef(name)) !== undefined) throw unprocessable(text.branchExists(name));
  if (!target.isFork) return await refusing(text.refused(name), () => change(repository, access, { ...changes, branch, new_branch: name }));
  await branchFromSource(context, repository, access, { source, from: branch, name, needed });
  try {
    return await change(repository, access, { ...changes, branch: name });
  } catch (error) {
    await deleteBranch(context, repository, access, name);
    throw error;
  }
}

/** Rules report that the user may not push; the form explains what to do instead. */
async function refusing<R>(words: string, change: () => Promise<R>): Promise<R> {
  try {
    return await change();
  } catch (error) {
    if (error instanceof HttpError && error.status === 403) throw new HttpError(422, `${words} (${error.message})`);
    throw error;
  }
}

/** Whether the branch is unchanged since the form was created. @throws HttpError 422 for an invalid commit */
export async function hasMoved(
  context: Context,
  { repository, commit: tip }: WritableLocation,
  { lastCommit }: CommitInput,
): Promise<boolean> {
  const folder = context.git.locate(repository);
  const isKnown = isObjectId(lastCommit, repository.object_format) && (await readCommit(folder, context.git.pool, lastCommit));
  if (tip && !isKnown) throw unprocessable('[last_commit]: Required');
  return tip !== undefined && tip.oid !== lastCommit;
}

/** The target of a form after its commit. @param path the path to show in the branch */
export async function afterCommit(
  visit: RepositoryVisit,
  context: Context,
  location: WritableLocation,
  made: MadeCommit,
  path: string,
): Promise<HttpResponse> {
  const { view } = visit;
  const requested = new URL(visit.request.url).searchParams.get('return_uri') ?? '';
  if (requested !== '') return seeOther(context, '', { location: safeRedirect(requested, view.rootUrl) });
  const { repository } = location.target;
  const compared = made.branch === location.branch ? undefined : await comparison(visit, context, location, made.branch);
  const shown = codePath(view, 'src', { repository, kind: 'branch', name: made.branch, path });
  return seeOther(context, (compared ?? shown).slice(view.root.length));
}

/** The page that opens a pull request: in the source of a fork, if the user may read that. */
async function comparison(visit: RepositoryVisit, context: Context, location: WritableLocation, head: string): Promise<string | undefined> {
  const { view, access } = visit;
  const { repository, target, branch } = location;
  const to = (base: Repository, from: string, name: string) =>
    repositoryPath(view, base, `compare/${escapePath(from)}...${name}${escapePath(head)}`);
  if (target.isFork) return to(repository, branch, `${encodeURIComponent(target.repository.owner.name)}:`);
  const source = repository.fork_id === null ? undefined : await findRepository(context.db, repository.fork_id);
  if (source && (await repositoryAccess(context, source, context.actor)).canRead('pulls')) {
    return to(source, source.default_branch, `${encodeURIComponent(repository.owner.name)}/${encodeURIComponent(repository.name)}:`);
  }
  return access.canRead('pulls') ? to(repository, branch, '') : undefined;
}
