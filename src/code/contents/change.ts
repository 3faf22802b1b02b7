import type { Repository } from '../../access/find-repository.ts';
import type { RepositoryAccess } from '../../access/repository-access.ts';
import type { Context } from '../../context.ts';
import { type AppliedPatch, applyPatch, PatchError } from '../../git/apply-patch.ts';
import {
  BranchExistsError,
  BranchNotFoundError,
  CommitMismatchError,
  FileExistsError,
  FileNotFoundError,
  InvalidPathError,
  ShaMismatchError,
} from '../../git/change-errors.ts';
import { changeFiles, type FileChange, type PreparedChange } from '../../git/change-files.ts';
import { type Commit, readCommit } from '../../git/commits.ts';
import { cleanFilePath } from '../../git/file-paths.ts';
import { InvalidSignatureError, type Signature } from '../../git/format-identity.ts';
import { branchRef, isValidBranchName } from '../../git/ref-names.ts';
import { zeroObjectId } from '../../git/repository.ts';
import { storedRef } from '../../git/stored-refs.ts';
import { RefConflictError } from '../../git/update-refs.ts';
import { InvalidObjectError } from '../../git/write-objects.ts';
import { forbidden, notFoundBecause, unprocessable } from '../../http/errors.ts';
import type { Committing } from '../../repositories/signing/committing.ts';
import { askCustomHooks } from '../git-hooks/run.ts';
import { type BranchChange, decideChange, mayWriteTo, pusherOf, type Refusal } from '../protections/decide.ts';
import { firstUnverified, isRewritten, knownTips, type MovedRange, type NewRange, pushedPaths } from '../protections/pushed.ts';
import { tellingRefErrors } from '../ref-errors.ts';
import { type AnnouncedMove, announceMove, refsMoved, withdrawMove } from '../refs-moved.ts';
import { signingFor } from '../signing/signing-for.ts';
import { type CommitFields, commitPeople } from './commit-people.ts';

/** Where a change begins, where its commit goes, and what the commit says. */
export interface ChangeTarget extends CommitFields {
  readonly branch?: string | undefined;
  readonly new_branch?: string | undefined;
  readonly force_push?: boolean | undefined;
  readonly message?: string | undefined;
  readonly signoff?: boolean | undefined;
}

/** A commit that was made, and the branch it is on. */
export interface MadeCommit {
  readonly branch: string;
  readonly commit: Commit;
}

/** More files than any hand changes at once; beyond that there is `git push`. */
const MAX_FILES = 10_000;

/**
 * Changes files of a branch with one commit: all of them, or none.
 * @throws HttpError 403 when a protection forbids it, 404 for what is not there, 409 when others are always faster, 422
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
  const made = await change.run(pathsOf(files), async (check) => {
    const options = { ...change.options, message: (target.message || messageFor(files)).trim(), files, check };
    return await changeFiles(change.folder, options);
  });
  return await change.finish(made);
}

/**
 * Applies a patch to a branch with one commit.
 * @throws HttpError as {@link changeContents}; 422 for a patch that does not fit
 */
export async function patchContents(
  context: Context,
  repository: Repository,
  access: RepositoryAccess,
  target: ChangeTarget,
  patch: string,
): Promise<MadeCommit> {
  // Clients have always been told 0 here, and a patch never moves a branch that is there by force.
  const change = await Change.begin(context, repository, access, { ...target, force_push: false }, 0);
  const made = await change.run(undefined, async (check) => {
    return await applyPatch(change.folder, { ...change.options, message: (target.message || 'apply-patch').trim(), patch, check });
  });
  return await change.finish(made);
}

type Prepared = Pick<PreparedChange | AppliedPatch, 'commit' | 'parent' | 'ref' | 'before'>;
type Check = (prepared: Prepared, paths?: readonly string[]) => Promise<void>;

class Change {
  readonly folder;
  readonly options;
  readonly #context: Context;
  readonly #repository: Repository;
  readonly #access: RepositoryAccess;
  readonly #branch: string;
  readonly #newBranch: string;
  /** The repository's id as it is told where a branch is missing. */
  readonly #toldId: number;
  #move: AnnouncedMove | undefined;
  #isSigned = false;

  /** @throws HttpError 403 for who may not write to the branch */
  static async begin(...given: ConstructorParameters<typeof Change>): Promise<Change> {
    const [context, repository, access, target] = given;
    const branch = target.new_branch || target.branch || repository.default_branch;
    if (!(await mayWriteTo(context, repository, access, branch))) {
      throw forbidden('user should have a permission to write to the target branch');
    }
    return new Change(...given);
  }

  constructor(context: Context, repository: Repository, access: RepositoryAccess, target: ChangeTarget, toldId = repository.id) {
    this.#context = context;
    this.#repository = repository;
    this.#access = access;
    this.#toldId = toldId;
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
      signoff: target.signoff ?? false,
      objects: context.git.pool,
      ...people,
      committing: (parent: string | null) => this.#committing(parent, people.committer),
      moving: (prepared: Prepared) => this.#ask(prepared),
    };
  }

  /** @param paths that will change, if they are known before */
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
    // The branch was moved by somebody else meanwhile, and the change is made anew.
    if (this.#move) await withdrawMove(this.#context, this.#move);
    const { ref, before, commit } = prepared;
    const oldId = before ?? zeroObjectId(this.folder.objectFormat);
    this.#move = await announceMove(this.#context, this.#repository, [{ ref, oldId, newId: commit }]);
  }

  async #ask({ ref, before, commit }: Prepared): Promise<void> {
    const oldId = before ?? zeroObjectId(this.folder.objectFormat);
    await askCustomHooks(this.#context, this.#repository, [{ ref, oldId, newId: commit }]);
  }

  async #decide(paths: readonly string[], prepared: Prepared | undefined): Promise<void> {
    const { doer } = this.#context;
    const pusher = await pusherOf(this.#context, this.#repository, doer, this.#access);
    const refusal = await decideChange(this.#context, this.#repository, pusher, this.#branchChange(paths, prepared));
    if (refusal) throw forbidden(this.#newBranch === this.#branch ? ownWords(refusal, doer?.lower_name ?? '') : refusal.message);
  }

  #branchChange(paths: readonly string[], prepared: Prepared | undefined): BranchChange {
    const { folder } = this;
    // What the new branch had and the commit's parent has not goes as well.
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

  /** Whether the server would sign is asked before anything is made, so that what is refused costs nothing. */
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

  /** What the branch gets besides the commit that is made: that one's parent is on another branch. */
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
    return notFoundBecause(`branch does not exist [repo_id: ${this.#toldId} name: ${branch}]`);
  }

  async #telling<T>(change: () => Promise<T>): Promise<T> {
    try {
      return await tellingRefErrors(() => change().catch(refuseTakenName));
    } catch (error) {
      if (error instanceof BranchNotFoundError) throw this.#noBranch(error.branch);
      if (error instanceof FileNotFoundError) throw notFoundBecause(error.message);
      if (error instanceof PatchError) throw unprocessable(`git apply error: ${error.reasons.join('; ')}`);
      if (UNPROCESSABLE.some((kind) => error instanceof kind)) throw unprocessable((error as Error).message);
      throw error;
    }
  }
}

const UNPROCESSABLE = [
  BranchExistsError,
  CommitMismatchError,
  FileExistsError,
  InvalidPathError,
  ShaMismatchError,
  InvalidSignatureError,
  InvalidObjectError,
];

/** A new branch whose name does not go with another one's is refused as a push of it would be. */
function refuseTakenName(error: unknown): never {
  if (!(error instanceof RefConflictError)) throw error;
  throw forbidden(`cannot lock ref '${error.ref}': '${error.existing}' exists; cannot create '${error.ref}'`);
}

/** On a branch that is there already, who may not push is told so, whatever the rule. */
function ownWords(refusal: Refusal, userName: string): string {
  if (refusal.reason === 'file' && refusal.mayPush) return `path is protected and can not be changed [path: ${refusal.path}]`;
  return `user cannot commit to repo [user: ${userName}]`;
}

/** The paths that the changes touch, those that files are moved away from among them. */
function pathsOf(files: readonly FileChange[]): string[] {
  return files.flatMap(({ path, fromPath }) => {
    const clean = cleanFilePath(path);
    if (clean === undefined) throw unprocessable(new InvalidPathError(path).message);
    const from = fromPath ? cleanFilePath(fromPath) : undefined;
    if (fromPath && from === undefined) throw unprocessable(new InvalidPathError(fromPath).message);
    return from === undefined || from === clean ? [clean] : [clean, from];
  });
}

/** What a commit without a message of its own says. */
function messageFor(files: readonly FileChange[]): string {
  const of = (word: string, ...operations: FileChange['operation'][]) => {
    const paths = files.filter(({ operation }) => operations.includes(operation)).map(({ path }) => path);
    return paths.length === 0 ? [] : [`${word} ${paths.join(', ')}`];
  };
  return [...of('Add', 'create'), ...of('Update', 'update', 'upload', 'rename'), ...of('Delete', 'delete')].join('\n');
}
