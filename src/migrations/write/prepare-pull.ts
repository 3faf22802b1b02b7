import type { Context } from '../../context.ts';
import type { NewPull } from '../../database/tables/pulls.ts';
import { mergeBase } from '../../git/history/log.ts';
import { branchRef, isValidBranchName } from '../../git/refs/ref-names.ts';
import { storedRef } from '../../git/refs/stored-refs.ts';
import { isObjectId } from '../../git/repository.ts';
import { isDraftTitle } from '../../issues/present.ts';
import type { SourcePull } from '../source/source.ts';
import type { Target } from './run.ts';

/** A pull request of the source with its git data here. */
export interface PreparedPull extends SourcePull {
  readonly row: Omit<NewPull, 'issue_id'>;
  /** Whether its head is in the repository. */
  readonly hasHead: boolean;
}

/** Finds the git data of a pull request: its head, the merge base, and its branch. */
export async function preparePull(target: Target, given: SourcePull): Promise<PreparedPull> {
  const { context, repository, people } = target;
  const { merged, head } = given;
  const base = isValidBranchName(given.base.branch) ? given.base.branch : repository.default_branch;
  const headBranch = isValidBranchName(head.branch) ? head.branch : `refs/pull/${given.number}/head`;
  const hasHead = await isCommit(target, head.id);
  const from = await mergeBaseOf(target, given, base, hasHead);
  // Without its head it shows the merged commits, or nothing.
  const mergedId = merged && (await isCommit(target, merged.commitId)) ? merged.commitId : undefined;
  const headId = hasHead ? head.id : (mergedId ?? from);
  const merger = merged?.by && (await people.account(merged.by));
  const isFork = head.fork !== undefined;
  const row = {
    repository_id: repository.id,
    number: given.number,
    base_branch: base,
    // The branch of an open pull request from a fork comes into the repository; the others are known by their ref alone.
    head_repository_id: isFork && (given.isClosed || !hasHead) ? null : repository.id,
    head_branch: isFork && !given.isClosed && hasHead ? forkBranch(target, given) : headBranch,
    head_id: headId,
    merge_base: from,
    allow_maintainer_edit: given.allowMaintainerEdit,
    conflicted_files: '[]',
    changed_protected_files: '[]',
    merged_commit_id: merged ? (mergedId ?? headId) : '',
    merger_id: merged ? (merger ?? context.actor?.id ?? null) : null,
  };
  return { ...given, title: titleOf(context, given), row, hasHead };
}

/** The ancestor that the source shows, if it is here; else that of the branch and the head. */
async function mergeBaseOf(target: Target, { mergeBase: shown, head }: SourcePull, branch: string, hasHead: boolean): Promise<string> {
  const { context, repository } = target;
  if (await isCommit(target, shown)) return shown;
  const folder = context.git.locate(repository);
  const tip = storedRef(folder, branchRef(branch)) ?? storedRef(folder, branchRef(repository.default_branch));
  const found = tip !== undefined && hasHead ? await mergeBase(folder, context.git.pool, tip, head.id) : undefined;
  return found ?? tip ?? (hasHead ? head.id : '');
}

async function isCommit({ context: { git }, repository }: Target, id: string): Promise<boolean> {
  if (!isObjectId(id, repository.object_format)) return false;
  return (await git.pool.info(git.locate(repository), id))?.type === 'commit';
}

/** A name for the branch of a fork, which no branch of the repository has: its owner's, as for pull requests that come from there. */
function forkBranch({ context, repository }: Target, { head, number }: SourcePull): string {
  const folder = context.git.locate(repository);
  const owner = (head.fork ?? '').replace(/[^\w.-]/g, '-').slice(0, 100);
  const names = [`${owner}/${head.branch}`, `head-pr-${number}/${owner}/${head.branch}`, `head-pr-${number}`];
  const isFree = (name: string) => isValidBranchName(name) && [undefined, head.id].includes(storedRef(folder, branchRef(name)));
  return names.find(isFree) ?? `head-pr-${number}-${head.id.slice(0, 12)}`;
}

function titleOf({ settings }: Context, { title, isDraft }: SourcePull): string {
  const prefixes = settings.pulls.workInProgressPrefixes;
  const [prefix] = prefixes;
  return isDraft && prefix && !isDraftTitle(prefixes, title) ? `${prefix} ${title}` : title;
}
