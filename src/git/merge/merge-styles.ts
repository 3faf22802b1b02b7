import type { Signature } from '../objects/format-identity.ts';
import { directObjects, treeOfCommit } from '../objects/object-source.ts';
import { type Sign, writeCommit } from '../objects/write-objects.ts';
import type { GitRepository } from '../repository.ts';
import { fastForwardable, type MergeOptions, mergeCommit, NotFastForwardError, squash } from './merge.ts';
import { rebaseCommits } from './pick.ts';

/** The ways to merge a head into a base. */
export type GitMergeStyle = 'merge' | 'rebase' | 'rebase-merge' | 'squash' | 'fast-forward-only';

/** The two commits, and the metadata of a new commit. */
export interface StyleOptions extends Pick<MergeOptions, 'author' | 'committer' | 'message' | 'pool'> {
  base: string;
  head: string;
  committer: Signature;
  sign?: Sign;
}

/**
 * Creates the new commit of the base; no ref is moved.
 * - `merge`: a merge commit, even if a fast-forward is possible
 * - `squash`: one commit on the base, even if it changes nothing
 * - `rebase`: the head's commits again on the base, see {@link rebaseCommits}; the base itself when it has all of them
 * - `rebase-merge`: a merge commit of the result of `rebase`
 * - `fast-forward-only`: the head
 * @throws MergeConflictError, UnrelatedHistoriesError, TooManyCommitsError, NotFastForwardError; then nothing has changed
 */
export async function mergeInStyle(repository: GitRepository, style: GitMergeStyle, options: StyleOptions): Promise<string> {
  const { base, head, pool: objects = directObjects, author, committer, message, sign } = options;
  const merge = { ...options, into: base, from: head };
  if (style === 'merge') return await mergeCommit(repository, merge);
  if (style === 'squash') return await squash(repository, merge);
  if (style === 'fast-forward-only') {
    if (await fastForwardable(repository, base, head)) return head;
    throw new NotFastForwardError(`${head} is not ahead of ${base}`);
  }
  const { head: rebased } = await rebaseCommits(repository, head, { ...options, objects, onto: base });
  if (style === 'rebase' || rebased === base) return rebased;
  const tree = await treeOfCommit(objects, repository, rebased);
  return await writeCommit(repository, { tree, parents: [base, rebased], author, committer, message }, sign);
}
