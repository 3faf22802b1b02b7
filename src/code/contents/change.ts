import type { Repository } from '../../access/find-repository.ts';
import type { RepositoryAccess } from '../../access/repository-access.ts';
import type { Context } from '../../context.ts';
import { applyPatch } from '../../git/edit/apply-patch.ts';
import { changeFiles } from '../../git/edit/change-files.ts';
import type { FileChange } from '../../git/edit/file-change.ts';
import { pickChange } from '../../git/merge/pick-change.ts';
import type { Commit } from '../../git/objects/commits.ts';
import { gitNow } from '../../git/objects/format-identity.ts';
import { unprocessable } from '../../http/errors.ts';
import { Change, type ChangeTarget, type MadeCommit } from './branch-commit.ts';
import { messageFor, pathsOf } from './file-changes.ts';
import { largeFileConverter } from './large-files.ts';

/** Maximum number of files; for more there is `git push`. */
const MAX_FILES = 10_000;

/**
 * Changes files of a branch with one commit: all of them, or none.
 * @throws HttpError 403 when a protection forbids it, 404 for missing files, 409 when others are always faster, 422
 */
export async function changeContents(
  context: Context,
  repository: Repository,
  access: RepositoryAccess,
  target: ChangeTarget,
  files: readonly FileChange[],
): Promise<MadeCommit> {
  if (files.length > MAX_FILES) throw unprocessable(`more than ${MAX_FILES} files`);
  const change = await Change.begin(context, repository, access, target);
  const convert = largeFileConverter(context, repository, change.folder);
  const made = await change.run(pathsOf(files), async (check) => {
    const message = (target.message || messageFor(files)).trim();
    return await changeFiles(change.folder, { ...change.options, message, files, check, ...(convert && { convert }) });
  });
  return await change.finish(made);
}

/**
 * Applies a patch to a branch with one commit.
 * @throws HttpError as {@link changeContents}; 422 for a patch that does not apply
 */
export async function patchContents(
  context: Context,
  repository: Repository,
  access: RepositoryAccess,
  target: ChangeTarget,
  patch: string,
): Promise<MadeCommit> {
  // Clients expect 0 here, and a patch never moves an existing branch by force.
  const change = await Change.begin(context, repository, access, { ...target, force_push: false }, 0);
  const made = await change.run(undefined, async (check) => {
    return await applyPatch(change.folder, { ...change.options, message: (target.message || 'apply-patch').trim(), patch, check });
  });
  return await change.finish(made);
}

/**
 * Cherry-picks a commit to a branch, under the name of its author, or reverts it there.
 * @throws HttpError as {@link changeContents}; 422 for conflicts, and for a change that the branch already has
 */
export async function pickContents(
  context: Context,
  repository: Repository,
  access: RepositoryAccess,
  target: ChangeTarget,
  { commit, revert }: { commit: Commit; revert: boolean },
): Promise<MadeCommit> {
  const change = await Change.begin(context, repository, access, { ...target, force_push: false });
  const { author, oid, parents } = commit;
  // For a merge, its difference to its first parent counts.
  const [parent = null] = parents;
  const ends = revert ? { from: oid, to: parent } : { from: parent, to: oid };
  const made = await change.run(undefined, async (check) => {
    const message = (target.message || commit.message).trim();
    const { seconds = gitNow().seconds } = author;
    const options = { ...change.options, ...(!revert && { author: { ...author, seconds } }), message, check };
    return await pickChange(change.folder, { ...options, ...ends, picked: oid });
  });
  return await change.finish(made);
}
