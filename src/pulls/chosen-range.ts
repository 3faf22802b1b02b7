import type { Context } from '../context.ts';
import { readCommit } from '../git/commits.ts';
import { listCommits } from '../git/log.ts';
import { notFound } from '../http/errors.ts';
import type { Pull } from './find.ts';
import type { PushContent } from './heads/push-events.ts';
import { type PullRange, pullRange } from './range.ts';

/** What somebody looks at of a pull request. */
export interface ChosenRange {
  /** Its side before; undefined for the time before a first commit. */
  readonly from: string | undefined;
  readonly to: string;
  /** Whether that is all that the pull request changes. */
  readonly isWhole: boolean;
  readonly whole: PullRange;
}

/** What of a pull request is wished for: ids of commits or their beginnings. */
export interface RangeWish {
  /** What comes after this commit; all when left out. */
  readonly from?: string | undefined;
  /** Up to this commit; the head when left out. */
  readonly to?: string | undefined;
  /** What this commit alone changes. */
  readonly only?: string | undefined;
}

/** Commits of a pull request that can be chosen from. */
export const MAX_CHOICES = 1000;

/**
 * The part of a pull request that a path names.
 * @throws HttpError 404 for commits that neither are nor were part of it
 */
export async function chosenRange(context: Context, pull: Pull, { from, to, only }: RangeWish): Promise<ChosenRange> {
  const whole = await pullRange(context, pull);
  const known = [from, to, only].every((id) => id === undefined) ? [] : await knownCommits(context, pull, whole);
  const find = (beginning: string) => {
    const found = known.find((id) => id.startsWith(beginning));
    if (found === undefined) throw notFound();
    return found;
  };
  const { git } = context;
  const folder = git.locate(pull.issue.repository);
  const last = only ?? to;
  const end = last === undefined ? whole.head : find(last);
  const commit = await readCommit(folder, git.pool, end);
  // What was pushed over may be gone.
  if (!commit) throw notFound();
  const start = only !== undefined ? commit.parents[0] : from === undefined ? whole.mergeBase : find(from);
  if (start !== undefined && !(await readCommit(folder, git.pool, start))) throw notFound();
  return { from: start, to: end, isWhole: start === whole.mergeBase && end === whole.head, whole };
}

/** The ids of a pull request's commits, the newest first. */
export async function commitIds({ git }: Context, pull: Pull, { base, mergeBase, head }: PullRange): Promise<string[]> {
  const from = mergeBase ?? base;
  const history = { head, ...(from !== '' && { exclude: [from] }) };
  return listCommits(git.locate(pull.issue.repository), git.pool, history, { limit: MAX_CHOICES });
}

/** All that can be the end of a range: the commits, where they begin, and former heads that were reviewed or pushed over. */
async function knownCommits(context: Context, pull: Pull, whole: PullRange): Promise<string[]> {
  const reviews = await context.db
    .selectFrom('reviews')
    .select('commit_id')
    .where('issue_id', '=', pull.issue_id)
    .where('type', '!=', 'pending')
    .where('commit_id', '!=', '')
    .execute();
  const pushes = await context.db
    .selectFrom('comments')
    .select('body')
    .where('issue_id', '=', pull.issue_id)
    .where('kind', '=', 'pull_push')
    .execute();
  const pushedOver = pushes.flatMap(({ body }) => {
    const { is_force_push: isForced, commit_ids: ids } = JSON.parse(body) as PushContent;
    return isForced ? ids : [];
  });
  const commits = await commitIds(context, pull, whole);
  return [...commits, ...(whole.mergeBase === undefined ? [] : [whole.mergeBase]), ...reviews.map((row) => row.commit_id), ...pushedOver];
}

/** The commit that the caller looked at in their last review of a pull request, where the head is another one by now. */
export async function lastReviewed({ db, git, actor }: Context, pull: Pull): Promise<string | undefined> {
  if (!actor) return undefined;
  const row = await db
    .selectFrom('reviews')
    .select('commit_id')
    .where('issue_id', '=', pull.issue_id)
    .where('reviewer_id', '=', actor.id)
    .where('type', 'in', ['approve', 'reject', 'comment'])
    .where('original_author_id', '=', 0)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const id = row?.commit_id ?? '';
  if (id === '' || id === pull.head_id) return undefined;
  const commit = await readCommit(git.locate(pull.issue.repository), git.pool, id);
  return commit?.oid;
}
