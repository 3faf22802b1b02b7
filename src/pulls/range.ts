import type { Context } from '../context.ts';
import { mergeBase } from '../git/log.ts';
import type { Pull } from './find.ts';
import { branchTip } from './heads/tips.ts';

/** From where to where the changes of a pull request go: commits of its base repository. */
export interface PullRange {
  /** Where the head left the base; undefined where the two have nothing in common. */
  readonly mergeBase: string | undefined;
  /** Whose commits are not part of it. */
  readonly base: string;
  readonly head: string;
}

/** The range as it is now: what the base has got in the meantime is left out. That of a merged one stays as it was. */
export async function pullRange(context: Context, pull: Pull): Promise<PullRange> {
  const { git } = context;
  const { repository } = pull.issue;
  const tip = pull.merged_commit_id === '' ? await branchTip(context, repository, pull.base_branch) : undefined;
  const base = tip ?? pull.merge_base;
  const from = tip === undefined ? base : await mergeBase(git.locate(repository), git.pool, tip, pull.head_id);
  return { mergeBase: from || undefined, base, head: pull.head_id };
}
