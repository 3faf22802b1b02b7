import type { Context } from '../context.ts';
import { listCommits } from '../git/history/log.ts';
import { readCommit } from '../git/objects/commits.ts';
import { notFound } from '../http/errors.ts';
import type { Pull } from './find.ts';
import type { PushContent } from './heads/push-events.ts';
import { type PullRange, pullRange } from './range.ts';

/** The selected part of a pull request. */
export interface ChosenRange {
  /** The commit before it; undefined for the state before a first commit. */
  readonly from: string | undefined;
  readonly to: string;
  /** Whether it is the whole pull request. */
  readonly isWhole: boolean;
  readonly whole: PullRange;
}

/** The requested part of a pull request: ids of commits, possibly abbreviated. */
export interface RangeQuery {
  /** Excluded, with all before it; everything when left out. */
  readonly from?: string | undefined;
  /** Included; the head when left out. */
  readonly to?: string | undefined;
  /** Only the changes of this commit. */
  readonly only?: string | undefined;
}

/** Maximum number of commits to choose from. */
export const MAX_CHOICES = 1000;

/**
 * The part of a pull request that a path selects.
 * @throws HttpError 404 for commits that neither are nor were part of it
 */
export async function chosenRange(context: Context, pull: Pull, { from, to, only }: RangeQuery): Promise<ChosenRange> {
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
  // A commit that a forced push has replaced may be deleted.
  if (!commit) throw notFound();
  const start = only !== undefined ? commit.parents[0] : from === undefined ? whole.mergeBase : find(from);
  if (start !== undefined && !(await readCommit(folder, git.pool, start))) throw notFound();
  return { from: start, to: end, isWhole: start === whole.mergeBase && end === whole.head, whole };
}

/** The ids of a pull request's commits, newest first. */
export async function commitIds({ git }: Context, pull: Pull, { base, mergeBase, head }: PullRange): Promise<string[]> {
  const from = mergeBase ?? base;
  const history = { head, ...(from !== '' && { exclude: [from] }) };
  return listCommits(git.locate(pull.issue.repository), git.pool, history, { limit: MAX_CHOICES });
}

/** All possible ends of a range: the commits, the merge base, and former heads that were reviewed or replaced. */
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

/** The head at the caller's last review of a pull request, if it has moved since. */
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
