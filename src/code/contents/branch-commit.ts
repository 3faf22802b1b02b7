import type { Repository } from '../../access/find-repository.ts';
import type { RepositoryAccess } from '../../access/repository-access.ts';
import type { Context } from '../../context.ts';
import { PatchError } from '../../git/edit/apply-patch.ts';
import { BranchNotFoundError, FileNotFoundError } from '../../git/edit/change-errors.ts';
import type { PreparedChange } from '../../git/edit/change-files.ts';
import type { TreeCommit } from '../../git/edit/commit-tree.ts';
import { MergeConflictError } from '../../git/merge/merge.ts';
import { type Commit, readCommit } from '../../git/objects/commits.ts';
import type { Signature } from '../../git/objects/format-identity.ts';
import { branchRef, isValidBranchName } from '../../git/refs/ref-names.ts';
import { storedRef } from '../../git/refs/stored-refs.ts';
import { zeroObjectId } from '../../git/repository.ts';
import { forbidden, notFoundBecause, unprocessable } from '../../http/errors.ts';
import type { Committing } from '../../repositories/signing/committing.ts';
import { runUpdateHooks } from '../git-hooks/run.ts';
import { type BranchChange, decideChange, mayWriteTo, pusherOf } from '../protections/decide.ts';
import { firstUnverified, isRewritten, knownTips, type MovedRange, type NewRange, pushedPaths } from '../protections/pushed.ts';
import { withRefErrors } from '../ref-errors.ts';
import { type AnnouncedMove, announceMove, refsMoved, withdrawMove } from '../refs-moved.ts';
import { signingFor } from '../signing/signing-for.ts';
import { type CommitFields, commitPeople } from './commit-people.ts';
import { ownWords, refuseTakenName, UNPROCESSABLE } from './refusals.ts';

/** The branch of a change, the branch of its commit, and the commit's metadata. */
export interface ChangeTarget extends CommitFields {
  readonly branch?: string | undefined;
  readonly new_branch?: string | undefined;
  readonly force_push?: boolean | undefined;
  /** The commit that the caller has seen: the changed files must not have changed since. */
  readonly last_commit?: string | undefined;
  readonly message?: string | undefined;
  readonly signoff?: boolean | undefined;
}

/** A new commit, and its branch. */
export interface MadeCommit {
  readonly branch: string;
  readonly commit: Commit;
}

type Prepared = Pick<PreparedChange | TreeCommit, 'commit' | 'parent' | 'ref' | 'before'>;
type Check = (prepared: Prepared, paths?: readonly string[]) => Promise<void>;

/** @throws HttpError 403 without the right to write to the branch of a change */
export async function requireTarget(
  context: Context,
  repository: Repository,
  access: RepositoryAccess,
  { branch, new_branch: newBranch }: ChangeTarget,
): Promise<void> {
  if (await mayWriteTo(context, repository, access, newBranch || branch || repository.default_branch)) return;
  throw forbidden('user should have a permission to write to the target branch');
}

/** A change of a branch by one commit: checked, announced, committed, and emitted as an event. */
export class Change {
  readonly folder;
  readonly options;
  readonly #context: Context;
  readonly #repository: Repository;
  readonly #access: RepositoryAccess;
  readonly #branch: string;
  readonly #newBranch: string;
  /** The repository's id for the error of a missing branch. */
  readonly #idInErrors: number;
  #move: AnnouncedMove | undefined;
  #isSigned = false;

  /** @throws HttpError 403 without the right to write to the branch */
  static async begin(...given: ConstructorParameters<typeof Change>): Promise<Change> {
    const [context, repository, access, target] = given;
    await requireTarget(context, repository, access, target);
    return new Change(...given);
  }

  constructor(context: Context, repository: Repository, access: RepositoryAccess, target: ChangeTarget, idInErrors = repository.id) {
    this.#context = context;
    this.#repository = repository;
    this.#access = access;
    this.#idInErrors = idInErrors;
    this.#branch = target.branch || repository.default_branch;
    this.#newBranch = target.new_branch || this.#branch;
    this.folder = context.git.locate(repository);
    const isMade = this.#newBranch !== this.#branch || repository.is_empty;
    if (isMade && !isValidBranchName(this.#newBranch))
      throw unprocessable(`[${target.new_branch ? 'NewBranchName' : 'BranchName'}]: GitRefName`);
    const people = commitPeople(context, target);
    this.options = {
      branch: this.#branch,
      newBranch: this.#newBranch,
      force: target.force_push ?? false,
      ...(target.last_commit !== undefined && { lastCommit: target.last_commit }),
      signoff: target.signoff ?? false,
      objects: context.git.pool,
      ...people,
      committing: (parent: string | null) => this.#committing(parent, people.committer),
      moving: (prepared: Prepared) => this.#ask(prepared),
    };
  }

  /** @param paths the paths that will change, if they are known before */
  async run<T extends Prepared>(paths: readonly string[] | undefined, change: (check: Check) => Promise<T>): Promise<T> {
    this.#requireBranch();
    if (paths && this.#newBranch === this.#branch) await this.#decide(paths, undefined);
    try {
      return await this.#telling(() => change((prepared, changed) => this.#check(prepared, changed ?? paths ?? [], paths !== undefined)));
    } catch (error) {
      if (this.#move) await withdrawMove(this.#context, this.#move);
      throw error;
    }
  }

  async finish({ commit: oid, ref, before }: Prepared): Promise<MadeCommit> {
    const { git } = this.#context;
    const updates = [{ ref, oldId: before ?? zeroObjectId(this.folder.objectFormat), newId: oid }];
    await refsMoved(this.#context, this.#repository, updates, this.#move ? { move: this.#move } : {});
    const commit = await readCommit(this.folder, git.pool, oid);
    if (!commit) throw new Error(`the commit ${oid} was lost on its way`);
    return { branch: this.#newBranch, commit };
  }

  async #committing(parent: string | null, person: Signature): Promise<Committing> {
    const committing = await signingFor(this.#context, this.#repository, { kind: 'contents', parent }, person);
    this.#isSigned = committing.sign !== undefined;
    return committing;
  }

  async #check(prepared: Prepared, paths: readonly string[], decided: boolean): Promise<void> {
    if (this.#newBranch !== this.#branch || !decided) await this.#decide(paths, prepared);
    // Somebody else moved the branch meanwhile, and the change is made again.
    if (this.#move) await withdrawMove(this.#context, this.#move);
    const { ref, before, commit } = prepared;
    const oldId = before ?? zeroObjectId(this.folder.objectFormat);
    this.#move = await announceMove(this.#context, this.#repository, [{ ref, oldId, newId: commit }]);
  }

  async #ask({ ref, before, commit }: Prepared): Promise<void> {
    const oldId = before ?? zeroObjectId(this.folder.objectFormat);
    await runUpdateHooks(this.#context, this.#repository, [{ ref, oldId, newId: commit }]);
  }

  async #decide(paths: readonly string[], prepared: Prepared | undefined): Promise<void> {
    const { actor } = this.#context;
    const pusher = await pusherOf(this.#context, this.#repository, actor, this.#access);
    const refusal = await decideChange(this.#context, this.#repository, pusher, this.#branchChange(paths, prepared));
    if (refusal) throw forbidden(this.#newBranch === this.#branch ? ownWords(refusal, actor?.lower_name ?? '') : refusal.message);
  }

  #branchChange(paths: readonly string[], prepared: Prepared | undefined): BranchChange {
    const { folder } = this;
    // Commits that the new branch had and the new commit does not contain are lost as well.
    const lost = prepared?.before && prepared.parent && prepared.before !== prepared.parent ? prepared : undefined;
    const { before, parent } = lost ?? {};
    const isNew = prepared ? prepared.before === null : storedRef(folder, branchRef(this.#newBranch)) === undefined;
    return {
      branch: this.#newBranch,
      kind: isNew ? 'create' : 'update',
      rewrites: async () => (before && parent ? await isRewritten(folder, before, parent) : false),
      paths: async () => {
        const range = await this.#besides(prepared);
        return range ? [...paths, ...(await pushedPaths(folder, range))] : paths;
      },
      unverified: () => this.#unverified(prepared),
    };
  }

  /** Checks before anything is written whether the server would sign, so that a refusal costs nothing. */
  async #unverified(prepared: Prepared | undefined): Promise<string | undefined> {
    const { folder } = this;
    if (!prepared) {
      const parent = storedRef(folder, branchRef(this.#branch)) ?? null;
      const { sign } = await signingFor(this.#context, this.#repository, { kind: 'contents', parent }, this.options.committer);
      return sign ? undefined : 'of the server';
    }
    if (!this.#isSigned) return prepared.commit;
    const range = await this.#besides(prepared);
    return range ? await firstUnverified(this.#context, folder, range) : undefined;
  }

  /** Further commits for the branch besides the new one, whose parent is on another branch. */
  async #besides({ before, parent }: Partial<Prepared> = {}): Promise<MovedRange | NewRange | undefined> {
    if (!parent || before === undefined || before === parent) return undefined;
    return before === null
      ? { known: await knownTips(this.#context, this.#repository, this.#newBranch), after: parent }
      : { before, after: parent };
  }

  #requireBranch(): void {
    if (this.#repository.is_empty || (isValidBranchName(this.#branch) && storedRef(this.folder, branchRef(this.#branch)) !== undefined))
      return;
    throw this.#noBranch(this.#branch);
  }

  #noBranch(branch: string) {
    return notFoundBecause(`branch does not exist [repo_id: ${this.#idInErrors} name: ${branch}]`);
  }

  async #telling<T>(change: () => Promise<T>): Promise<T> {
    try {
      return await withRefErrors(() => change().catch(refuseTakenName));
    } catch (error) {
      if (error instanceof BranchNotFoundError) throw this.#noBranch(error.branch);
      if (error instanceof FileNotFoundError) throw notFoundBecause(error.message);
      if (error instanceof MergeConflictError) throw unprocessable(error.message);
      if (error instanceof PatchError) throw unprocessable(`git apply error: ${error.reasons.join('; ')}`);
      if (UNPROCESSABLE.some((kind) => error instanceof kind)) throw unprocessable((error as Error).message);
      throw error;
    }
  }
}
