import type { Repository } from '../../access/find-repository.ts';
import type { RepositoryAccess } from '../../access/repository-access.ts';
import type { Context } from '../../context.ts';
import { branchRef, isValidBranchName, tagRef } from '../../git/refs/ref-names.ts';
import { resolveCommit } from '../../git/refs/revisions.ts';
import { findRefBelow, storedRef } from '../../git/refs/stored-refs.ts';
import { renameBranch as renameRef, updateRef } from '../../git/refs/update-refs.ts';
import { isObjectId, zeroObjectId } from '../../git/repository.ts';
import { conflict, forbidden, notFound, notFoundBecause, unprocessable } from '../../http/errors.ts';
import type { Shape } from '../../http/schema.ts';
import { findBranchProtection } from '../protections/branch-protections.ts';
import { decidePush, pusherOf } from '../protections/decide.ts';
import { isRewritten } from '../protections/pushed.ts';
import { branchRules, ruleFor, rulesFor } from '../protections/rules.ts';
import { withRefErrors } from '../ref-errors.ts';
import { moveRefs } from '../refs-moved.ts';
import { missingObject, wholeId } from '../revision.ts';
import { recordRename } from './renamed.ts';
import type { CreateBranchRepoOption, UpdateBranchRepoOption } from './schema.ts';

/**
 * Creates a branch.
 * @throws HttpError 403 mirrors and protections, 404 for a missing target, 409 when the name is taken, 422
 */
export async function createBranch(
  context: Context,
  repository: Repository,
  access: RepositoryAccess,
  { new_branch_name: name, old_branch_name: oldBranch, old_ref_name: oldRef }: Shape<typeof CreateBranchRepoOption>,
): Promise<void> {
  requireChangeable(repository);
  if (!isValidBranchName(name)) throw unprocessable('[BranchName]: GitRefName');
  const folder = context.git.locate(repository);
  const commit = oldRef
    ? await resolveCommit(folder, context.git.pool, oldRef)
    : storedRef(folder, branchRef(oldBranch || repository.default_branch));
  if (commit === undefined) throw notFoundBecause(oldRef ? `The old reference does not exist` : 'The old branch does not exist');
  if (storedRef(folder, branchRef(name)) !== undefined) throw conflict('The branch already exists.');
  if (storedRef(folder, tagRef(name)) !== undefined) throw conflict('The branch with the same tag already exists.');
  if (standsInTheWay(context, repository, name)) throw conflict('The branch with the same name already exists.');
  await move(context, repository, access, { branch: name, from: null, to: commit });
}

/**
 * Moves a branch to another commit.
 * @throws HttpError 403 mirrors and protections, 404, 409 when somebody else moved it, 422 when commits would be lost
 */
export async function updateBranch(
  context: Context,
  repository: Repository,
  access: RepositoryAccess,
  name: string,
  { new_commit_id: given, old_commit_id: expected, force = false }: Shape<typeof UpdateBranchRepoOption>,
): Promise<void> {
  requireChangeable(repository);
  const folder = context.git.locate(repository);
  const current = branchTip(context, repository, name);
  if (current === undefined) throw notFound([`branch does not exist [repo_id: ${repository.id} name: ${name}]`]);
  if (expected) {
    // A full id is what the caller expects, even if there is no such object.
    const whole = wholeId(expected);
    const from = isObjectId(whole, repository.object_format) ? whole : await resolveCommit(folder, context.git.pool, expected);
    if (from === undefined) throw notFound([missingObject(expected)]);
    if (from !== current) throw unprocessable(`branch commit does not match [expected: ${from}, given: ${current}]`);
  }
  const to = await resolveCommit(folder, context.git.pool, given);
  if (to === undefined) throw notFound([missingObject(given)]);
  if (to === current) return;
  if (!force && (await isRewritten(folder, current, to))) throw unprocessable(`Force push ${name} need a confirm force parameter`);
  await move(context, repository, access, { branch: name, from: current, to });
}

/** @throws HttpError 403 mirrors, the default branch and protections, 404 */
export async function deleteBranch(context: Context, repository: Repository, access: RepositoryAccess, name: string): Promise<void> {
  requireChangeable(repository);
  if (name === repository.default_branch || name === repository.units.pulls?.defaultTargetBranch) {
    throw forbidden('can not delete default or pull request target branch');
  }
  if (await ruleFor(context, await branchRules(context.db, repository.id), name)) throw forbidden('branch protected');
  const current = branchTip(context, repository, name);
  if (current === undefined) throw notFound([`branch does not exist [name: ${name}]`]);
  await move(context, repository, access, { branch: name, from: current, to: null });
}

/**
 * Renames a branch, and the protection with its name.
 * @throws HttpError 403, 404, 409, 422 when the new name is taken
 */
export async function renameBranch(
  context: Context,
  repository: Repository,
  access: RepositoryAccess,
  from: string,
  to: string,
): Promise<void> {
  requireChangeable(repository);
  if (!isValidBranchName(to)) throw unprocessable('[Name]: GitRefName');
  if (from === to || branchTip(context, repository, to) !== undefined) {
    throw unprocessable('Cannot rename a branch using the same name or rename to a branch that already exists.');
  }
  const tip = branchTip(context, repository, from);
  if (tip === undefined) throw notFoundBecause("Branch doesn't exist.");
  await requireRenamable(context, repository, access, { from, to, tip });
  const none = zeroObjectId(repository.object_format);
  const updates = [
    { ref: branchRef(from), oldId: tip, newId: none },
    { ref: branchRef(to), oldId: none, newId: tip },
  ];
  const folder = context.git.locate(repository);
  // The rows that contain the name change with it: nobody considers the old branch deleted.
  const together = (context: Context) => renameRows(context, repository, from, to);
  await withRefErrors(() => moveRefs(context, repository, updates, () => renameRef(folder, from, to), { isRename: true, together }));
}

async function renameRows(context: Context, repository: Repository, from: string, to: string): Promise<void> {
  const { db, events } = context;
  if (from === repository.default_branch) {
    await db.updateTable('repositories').set({ default_branch: to }).where('id', '=', repository.id).execute();
  }
  const rule = await findBranchProtection(context, repository, from);
  if (rule && !(await findBranchProtection(context, repository, to))) {
    await db.updateTable('branch_protections').set({ rule_name: to }).where('id', '=', rule.id).execute();
  }
  await recordRename(context, repository.id, { from, to });
  await events.emit(context, 'branch.renamed', {
    repositoryId: repository.id,
    from,
    to,
    actorId: context.actor?.id ?? repository.owner_id,
  });
}

/** Moves one branch, if its protection allows it. */
async function move(
  context: Context,
  repository: Repository,
  access: RepositoryAccess,
  { branch, from, to }: { branch: string; from: string | null; to: string | null },
): Promise<void> {
  const none = zeroObjectId(repository.object_format);
  const folder = context.git.locate(repository);
  const change = { ref: branchRef(branch), before: from ?? none, after: to ?? none };
  const refusal = await decidePush(context, repository, folder, await pusherOf(context, repository, context.actor, access), [change]);
  if (refusal) throw forbidden(refusal.message);
  const updates = [{ ref: change.ref, oldId: change.before, newId: change.after }];
  await withRefErrors(() => moveRefs(context, repository, updates, () => updateRef(folder, { name: change.ref, from, to })));
}

async function requireRenamable(
  context: Context,
  repository: Repository,
  access: RepositoryAccess,
  { from, to, tip }: { from: string; to: string; tip: string },
): Promise<void> {
  const rules = await branchRules(context.db, repository.id);
  const own = rules.some(({ rule_name }) => rule_name === from);
  if (!access.isAdmin && (own || from === repository.default_branch)) {
    throw forbidden('User must be a repo or site admin to rename default or protected branches.');
  }
  // A pattern would continue to protect a name that is not a branch any more.
  const [ruleOfOld, ruleOfNew] = await rulesFor(context, rules, [from, to]);
  const isLeft = !own && ruleOfOld !== undefined;
  const made = { ref: branchRef(to), before: zeroObjectId(repository.object_format), after: tip };
  const pusher = await pusherOf(context, repository, context.actor, access);
  const refusal = isLeft || !ruleOfNew ? undefined : await decidePush(context, repository, context.git.locate(repository), pusher, [made]);
  if (isLeft || refusal) throw forbidden('Failed to rename branch due to branch protection rules.');
}

function branchTip({ git }: Context, repository: Repository, name: string): string | undefined {
  return isValidBranchName(name) ? storedRef(git.locate(repository), branchRef(name)) : undefined;
}

/** Whether another branch prevents this name: `a` and `a/b` cannot both exist. */
function standsInTheWay({ git }: Context, repository: Repository, name: string): boolean {
  const folder = git.locate(repository);
  const parts = name.split('/');
  const above = parts.slice(1).map((_, index) => branchRef(parts.slice(0, index + 1).join('/')));
  return above.some((ref) => storedRef(folder, ref) !== undefined) || findRefBelow(folder, branchRef(name)) !== undefined;
}

function requireChangeable(repository: Repository): void {
  if (repository.is_empty) throw notFoundBecause('Git Repository is empty.');
  if (repository.is_mirror) throw forbidden('Git Repository is a mirror.');
}
