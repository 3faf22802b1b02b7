import type { Context } from '../context.ts';
import { mergeBase } from '../git/history/log.ts';
import type { Pull } from './find.ts';
import { branchTip } from './heads/tips.ts';

/** The range of a pull request's changes: commits of its base repository. */
export interface PullRange {
  /** The common ancestor; undefined where there is none. */
  readonly mergeBase: string | undefined;
  /** Its commits are not part of the range. */
  readonly base: string;
  readonly head: string;
}

/** The current range: later commits of the base are left out. That of a merged one stays unchanged. */
export async function pullRange(context: Context, pull: Pull): Promise<PullRange> {
  const { git } = context;
  const { repository } = pull.issue;
  const tip = pull.merged_commit_id === '' ? await branchTip(context, repository, pull.base_branch) : undefined;
  const base = tip ?? pull.merge_base;
  const from = tip === undefined ? base : await mergeBase(git.locate(repository), git.pool, tip, pull.head_id);
  return { mergeBase: from || undefined, base, head: pull.head_id };
}
