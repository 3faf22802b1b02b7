import { fsckCommit, fsckCommits } from '../edit/fsck-files.ts';
import { mergeBase } from '../history/log.ts';
import type { Signature } from '../objects/format-identity.ts';
import { treeOfCommit } from '../objects/object-source.ts';
import type { GitPool } from '../objects/objects.ts';
import { inQuarantine, inScratch, type Quarantine } from '../objects/quarantine.ts';
import { newCommit, type Sign, writeCommit } from '../objects/write-objects.ts';
import { runGit } from '../processes/process.ts';
import type { GitRepository } from '../repository.ts';
import { type MergedTree, mergeTrees } from './merge-trees.ts';

/** The commit of a merge. */
export interface MergeOptions {
  /** The commit to merge into: the first parent. */
  into: string;
  /** The commit to merge. */
  from: string;
  author: Signature;
  committer: Signature;
  message: string;
  sign?: Sign;
  /** With it, a merge of a descendant of `into` starts no git. */
  pool?: GitPool;
}

/** The sides have conflicting changes. */
export class MergeConflictError extends Error {
  override readonly name = 'MergeConflictError';
  /** The paths in conflict. */
  readonly paths: readonly string[];
  /** git's message about each. */
  readonly messages: readonly string[];
  /** When commits are picked one by one: the one with the conflict. */
  readonly commit: string | undefined;
  constructor(result: Extract<MergedTree, { clean: false }>, commit?: string) {
    super(`conflicts in ${result.paths.slice(0, 10).join(', ')}`);
    this.paths = result.paths;
    this.messages = result.messages;
    this.commit = commit;
  }
}

/** A fast-forward is not possible. */
export class NotFastForwardError extends Error {
  override readonly name = 'NotFastForwardError';
}

/** Tries a merge without keeping anything. The resulting tree does not exist afterwards. */
export async function tryMerge(repository: GitRepository, into: string, from: string): Promise<MergedTree> {
  return await inScratch(repository, (quarantine) => mergeTrees(repository, quarantine, into, from));
}

/**
 * Creates a merge commit; no ref is moved.
 * @throws MergeConflictError, UnrelatedHistoriesError, HarmfulFileError; then nothing has changed
 */
export async function mergeCommit(repository: GitRepository, options: MergeOptions): Promise<string> {
  return await commitMerge(repository, options, [options.into, options.from]);
}

/**
 * Creates one commit on `into` with all changes of `from`; no ref is moved.
 * @throws MergeConflictError, UnrelatedHistoriesError, HarmfulFileError; then nothing has changed
 */
export async function squash(repository: GitRepository, options: MergeOptions): Promise<string> {
  return await commitMerge(repository, options, [options.into]);
}

/** Whether `from` is `to` or one of its ancestors. */
export async function fastForwardable(repository: GitRepository, from: string, to: string): Promise<boolean> {
  const { code } = await runGit(['merge-base', '--is-ancestor', '--end-of-options', from, to], { cwd: repository.path, okCodes: [1] });
  return code === 0;
}

/** {@link mergeCommit} in a quarantine, which may contain either commit. */
export async function mergeCommitWithin(repository: GitRepository, quarantine: Quarantine, options: MergeOptions): Promise<string> {
  return await commitMergeWithin(repository, quarantine, options, [options.into, options.from]);
}

async function commitMerge(repository: GitRepository, options: MergeOptions, parents: readonly string[]): Promise<string> {
  const { pool, into, from } = options;
  const isOnTop = pool && (await mergeBase(repository, pool, into, from)) === into;
  if (isOnTop) return await commitOnTop(repository, pool, options, parents);
  return await inQuarantine(repository, (quarantine) => commitMergeWithin(repository, quarantine, options, parents));
}

/** Uses the tree of a head that is a descendant of `into`: a merge would create the same. */
async function commitOnTop(repository: GitRepository, pool: GitPool, options: MergeOptions, parents: readonly string[]): Promise<string> {
  const { into, from, author, committer, message, sign } = options;
  await fsckCommit(repository, pool, from, into);
  const tree = await treeOfCommit(pool, repository, from);
  return await writeCommit(repository, { tree, parents, author, committer, message }, sign);
}

async function commitMergeWithin(
  repository: GitRepository,
  quarantine: Quarantine,
  { into, from, author, committer, message, sign }: MergeOptions,
  parents: readonly string[],
): Promise<string> {
  const merged = await mergeTrees(repository, quarantine, into, from);
  if (!merged.clean) throw new MergeConflictError(merged);
  const commit = await newCommit(repository.objectFormat, { tree: merged.tree, parents, author, committer, message }, sign);
  await quarantine.write([commit]);
  await fsckCommits(repository, quarantine, [[commit.oid, into]]);
  return commit.oid;
}
