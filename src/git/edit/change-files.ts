import { formatIdentity, type Signature } from '../objects/format-identity.ts';
import { directObjects, type ObjectSource, treeOfCommit } from '../objects/object-source.ts';
import { type NewObject, newBlob, newCommit, type Sign, writeObjects } from '../objects/write-objects.ts';
import { updateRef } from '../refs/update-refs.ts';
import type { GitRepository } from '../repository.ts';
import { cleanFilePath } from '../trees/file-paths.ts';
import { type BranchTarget, type BranchTip, onBranchTip } from './branch-tip.ts';
import { requireFreePath, requireUnchanged } from './change-checks.ts';
import { EmptyRepositoryError, FileExistsError, FileNotFoundError, InvalidPathError } from './change-errors.ts';
import { TreeConflictError, TreeEditor, type TreeItem } from './edit-tree.ts';
import type { FileChange } from './file-change.ts';
import { fsckEntries } from './fsck-files.ts';

/** A commit for a branch, with its author and committer. */
export interface CommitOptions extends BranchTarget {
  message: string;
  author: Signature;
  committer: Signature;
  /** Adds a Signed-off-by line for the committer. */
  signoff?: boolean;
  sign?: Sign;
  /** Decides on `committer` and `sign` when the parent is known; if the committer is another person, the message names `committer` too. */
  committing?: CommittingFor;
}

/** Several changes in one commit. */
export interface ChangeFilesOptions extends CommitOptions {
  /** The commit that the caller has seen: the changed files must not have changed on `branch` since. */
  lastCommit?: string;
  /** An empty list makes an empty commit. */
  files: readonly FileChange[];
  convert?: ContentConverter;
  /** Called before anything is written; an error stops the change. */
  check?: (change: PreparedChange) => Promise<void>;
  /** Called after the commit is written, before the branch moves; an error stops the move. */
  moving?: (change: PreparedChange) => Promise<void>;
  objects?: ObjectSource;
}

/** Replaces contents before they are stored, for example by pointers of Git LFS. `tree` is always the base tree, null for none. */
export interface ContentConverter {
  /** Returns the content to store at a path instead of this one. */
  readonly write: (path: string, content: Uint8Array, tree: string | null) => Promise<Uint8Array>;
  /** The new content of a moved file; undefined to keep its blob. */
  readonly move: (move: { from: string; to: string; oid: string }, tree: string | null) => Promise<Uint8Array | undefined>;
}

/** The committer of a commit on `parent` (null for the first commit of a repository), and its signing key. */
export type CommittingFor = (parent: string | null) => Promise<{ readonly committer: Signature; readonly sign?: Sign }>;

/** The commit of a change. */
export interface PreparedChange {
  commit: string;
  tree: string;
  /** The parent commit; null for the first of a repository. */
  parent: string | null;
  /** The full name of the ref that moves. */
  ref: string;
  /** The former commit of the ref; null when it is new. */
  before: string | null;
  /** The item at each change's path, in their order; null where a file was deleted. */
  files: { path: string; item: TreeItem | null }[];
}

interface CleanChange extends FileChange {
  fromPath: string;
}

/**
 * Changes files of a branch with one commit: all of them, or none. Needs no work tree; only the changed folders are
 * read and written. Nothing is written before every check has passed and the branch is locked. When another writer
 * moves the branch meanwhile, the change is checked and made again on the new tip.
 * @throws BranchNotFoundError, BranchExistsError, InvalidPathError, FileExistsError, FileNotFoundError,
 * ShaMismatchError, CommitMismatchError, HarmfulFileError; StaleRefError, RefConflictError and RefLockedError of update-refs.ts
 */
export async function changeFiles(repository: GitRepository, options: ChangeFilesOptions): Promise<PreparedChange> {
  const changes = options.files.map(cleanChange);
  return await onBranchTip(repository, options, (tip) => changeTip(repository, options, changes, tip));
}

async function changeTip(
  repository: GitRepository,
  options: ChangeFilesOptions,
  changes: readonly CleanChange[],
  { parent, ref, before }: BranchTip,
): Promise<PreparedChange> {
  const { branch, newBranch = branch, objects = directObjects } = options;
  if (parent === null && changes.some(({ operation }) => operation === 'delete')) throw new EmptyRepositoryError(branch);
  const base = parent === null ? null : await treeOfCommit(objects, repository, parent);
  const seen = options.lastCommit && options.lastCommit !== parent ? await treeOfCommit(objects, repository, options.lastCommit) : base;
  const baseTree = new TreeEditor(repository, objects, base);
  const seenTree = seen === base || newBranch !== branch ? baseTree : new TreeEditor(repository, objects, seen);
  for (const change of changes) {
    if (parent !== null || change.operation === 'rename') await requireUnchanged(change, baseTree, seenTree, options.lastCommit ?? '');
    await requireFreePath(change, baseTree);
  }

  const tree = new TreeEditor(repository, objects, base);
  const made: NewObject[] = [];
  for (const change of changes) await apply(repository, await converted(change, options, base, tree), tree, made);
  const files = await Promise.all(changes.map(async ({ path }) => ({ path, item: await itemAt(tree, path) })));
  await fsckEntries(repository, files, made);
  const root = await tree.finish();
  const commit = await commitChange(repository, options, { tree: root.oid, parent });
  const prepared: PreparedChange = { commit: commit.oid, tree: root.oid, parent, ref, before, files };
  await options.check?.(prepared);
  const write = async () => {
    await writeObjects(repository, [...made, ...root.objects, commit]);
    await options.moving?.(prepared);
  };
  await updateRef(repository, { name: ref, to: commit.oid, from: before }, write);
  return prepared;
}

/** Prepares the commit of a change without writing it. */
export async function commitChange(
  repository: GitRepository,
  options: Pick<ChangeFilesOptions, 'author' | 'committer' | 'message' | 'signoff' | 'sign' | 'committing'>,
  { tree, parent }: { tree: string; parent: string | null },
): Promise<NewObject> {
  const { author } = options;
  const { committer, sign } = (await options.committing?.(parent)) ?? options;
  const message = commitMessage(options, committer);
  return await newCommit(repository.objectFormat, { tree, parents: parent === null ? [] : [parent], author, committer, message }, sign);
}

/** The message as `git commit-tree` builds it: with a line end, and trailers as a separate paragraph. */
function commitMessage(
  { message, signoff, author, committer: person }: Pick<ChangeFilesOptions, 'message' | 'signoff' | 'author' | 'committer'>,
  committer: Signature,
): string {
  const [own, authors] = [formatIdentity(person), formatIdentity(author)];
  const standsIn = own !== formatIdentity(committer) && own !== authors;
  const text = `${message}\n${standsIn ? `\nCo-authored-by: ${own}\nCo-committed-by: ${own}\n` : ''}`;
  return signoff ? `${text}\nSigned-off-by: ${formatIdentity(committer)}` : text;
}

async function apply(repository: GitRepository, change: CleanChange, tree: TreeEditor, made: NewObject[]): Promise<void> {
  const { operation, path, fromPath } = change;
  const existing = await tree.get(fromPath);
  if (operation === 'delete') {
    await tree.remove(path);
    return;
  }
  const standing = fromPath === path ? existing : await tree.get(path);
  if (operation === 'create' && standing && standing.mode !== '040000') throw new FileExistsError(path);
  if (operation === 'rename' && !existing) throw new FileNotFoundError(fromPath);
  if (fromPath !== path && existing && existing.mode !== '040000') await tree.remove(fromPath);
  const mode = change.executable === undefined ? modeOf(operation, existing) : change.executable ? '100755' : '100644';
  let oid = existing?.oid ?? '';
  if (operation !== 'rename') {
    const blob = await newBlob(repository.objectFormat, change.content ?? new Uint8Array());
    made.push(blob);
    oid = blob.oid;
  }
  try {
    await tree.set(path, { mode, oid });
  } catch (error) {
    // Two changes of one request conflict.
    if (error instanceof TreeConflictError) throw new InvalidPathError(error.path, 'another change of the same request is in the way');
    throw error;
  }
}

/** A moved file keeps its mode; one with new content stays executable, unless it is created. */
function modeOf(operation: FileChange['operation'], existing: TreeItem | undefined): TreeItem['mode'] {
  if (operation === 'rename' && existing) return existing.mode;
  return operation !== 'create' && existing?.mode === '100755' ? '100755' : '100644';
}

async function converted(
  change: CleanChange,
  { convert }: ChangeFilesOptions,
  base: string | null,
  tree: TreeEditor,
): Promise<CleanChange> {
  const { operation, path, fromPath: from } = change;
  if (!convert || operation === 'delete') return change;
  if (operation !== 'rename') return { ...change, content: await convert.write(path, change.content ?? new Uint8Array(), base) };
  const item = await tree.get(from);
  const isFile = item?.mode === '100644' || item?.mode === '100755';
  const content = isFile ? await convert.move({ from, to: path, oid: item.oid }, base) : undefined;
  return content ? { ...change, operation: 'update', content } : change;
}

async function itemAt(tree: TreeEditor, path: string): Promise<TreeItem | null> {
  const item = await tree.get(path);
  return item ? { mode: item.mode, oid: item.oid } : null;
}

function cleanChange(change: FileChange): CleanChange {
  const path = cleanFilePath(change.path);
  if (path === undefined) throw new InvalidPathError(change.path);
  const fromPath = change.fromPath ? cleanFilePath(change.fromPath) : path;
  if (fromPath === undefined) throw new InvalidPathError(change.fromPath ?? '');
  // A deletion has only one path.
  return { ...change, path, fromPath: change.operation === 'delete' ? path : fromPath };
}
