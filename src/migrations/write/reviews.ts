import { eachOf } from '../../concurrency/each-of.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { NewComment } from '../../database/tables/issues.ts';
import { isObjectId } from '../../git/repository.ts';
import { splitPath } from '../../git/trees/trees.ts';
import { indexComment } from '../../issues/search/index.ts';
import { findPullOfIssue } from '../../pulls/find.ts';
import { followLines } from '../../pulls/reviews/follow-lines.ts';
import { SourceError } from '../source/errors.ts';
import { pagesOf } from '../source/pages.ts';
import type { SourceCodeComment, SourceReview } from '../source/source.ts';
import type { WrittenIssue } from './issue-rows.ts';
import type { Attribution } from './people.ts';
import type { PreparedPull } from './prepare-pull.ts';
import type { Target } from './run.ts';

/** A review that is ready to be written. */
interface Prepared {
  readonly review: SourceReview;
  readonly by: Attribution;
  readonly comments: readonly { comment: SourceCodeComment; by: Attribution }[];
}

/** Reviews of one pull request, comments of one review, and rows of one transaction. */
const MAX_REVIEWS = 20_000;
const MAX_COMMENTS = 20_000;
const ROWS = 200;
/** Number of pull requests whose reviews are read at once. */
const AT_ONCE = 4;
const MAX_HUNK = 64 * 1024;
const MAX_PATH = 4096;
const MAX_LINE = 2 ** 31 - 1;

/** Brings over the reviews of pull requests that have just been written. */
export async function writeReviews(target: Target, pulls: readonly WrittenIssue<PreparedPull>[]): Promise<void> {
  await eachOf(pulls, AT_ONCE, (pull) => writeReviewsOf(target, pull));
}

async function writeReviewsOf(target: Target, pull: WrittenIssue<PreparedPull>): Promise<void> {
  const { reviews: list, number } = pull.source;
  if (!list) return;
  let count = 0;
  let hasCode = false;
  for await (const reviews of pagesOf(list)) {
    count += reviews.length;
    if (count > MAX_REVIEWS) throw new SourceError('content', `#${number} has more than ${MAX_REVIEWS} reviews`);
    let waiting: Prepared[] = [];
    let rows = 0;
    for (const review of reviews) {
      const prepared = await prepare(target, review);
      waiting.push(prepared);
      rows += 2 + prepared.comments.length;
      hasCode ||= prepared.comments.length > 0;
      if (rows < ROWS) continue;
      await insert(target, pull, waiting);
      waiting = [];
      rows = 0;
    }
    await insert(target, pull, waiting);
  }
  if (hasCode && pull.source.hasHead && !pull.source.isClosed) await follow(target, pull.id);
}

async function prepare({ people }: Target, review: SourceReview): Promise<Prepared> {
  if (review.comments.length > MAX_COMMENTS) throw new SourceError('content', `a review has more than ${MAX_COMMENTS} comments`);
  const comments: Prepared['comments'][number][] = [];
  for (const comment of review.comments) {
    const isUsable =
      comment.path !== '' && comment.path.length <= MAX_PATH && splitPath(comment.path) && Math.abs(comment.line) <= MAX_LINE;
    if (isUsable) comments.push({ comment, by: await people.attribute(comment.author ?? review.author) });
  }
  return { review, by: await people.attribute(review.author), comments };
}

async function insert(target: Target, pull: WrittenIssue<PreparedPull>, reviews: readonly Prepared[]): Promise<void> {
  if (reviews.length === 0) return;
  await inTransaction(target.context, async (context) => {
    for (const prepared of reviews) await insertReview(context, target, pull, prepared);
    const added = reviews.filter(({ review }) => review.type !== 'request').length;
    await context.db
      .updateTable('issues')
      .set((issue) => ({ counted_reviews: issue('counted_reviews', '+', added) }))
      .where('id', '=', pull.id)
      .execute();
  });
}

async function insertReview(
  context: Context,
  { repository }: Target,
  { id: issueId, source }: WrittenIssue<PreparedPull>,
  { review, by: { author_id, ...original }, comments }: Prepared,
): Promise<void> {
  const { db } = context;
  const isKnown = (id: string) => isObjectId(id, repository.object_format);
  const reviewed = isKnown(review.commitId) ? review.commitId : source.row.head_id;
  const times = { created_at: review.createdAt ?? source.createdAt ?? 1, updated_at: review.updatedAt ?? review.createdAt ?? 1 };
  const { id: reviewId } = await db
    .insertInto('reviews')
    .values({
      issue_id: issueId,
      type: review.type,
      reviewer_id: author_id,
      ...original,
      body: review.body,
      is_official: review.isOfficial,
      commit_id: review.type === 'request' ? '' : reviewed,
      is_stale: review.isStale,
      is_dismissed: review.isDismissed,
      ...times,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (review.type === 'request') return;
  const on = { issue_id: issueId, repository_id: repository.id, review_id: reviewId };
  const shown = { ...on, kind: 'review' as const, author_id, ...original, body: review.body, ...times };
  await insertComment(context, shown);
  for (const { comment, by } of comments) {
    const { path, line, body, hunk } = comment;
    const createdAt = comment.createdAt ?? times.created_at;
    const commit_id = isKnown(comment.commitId) ? comment.commitId : source.row.head_id;
    const updated_at = comment.updatedAt ?? createdAt;
    const id = await insertComment(context, { ...on, kind: 'code', ...by, body, commit_id, created_at: createdAt, updated_at });
    const position = { path, line, diff_hunk: hunk.slice(-MAX_HUNK), current_line: line === 0 ? null : line };
    const anchor_id = line < 0 ? (source.row.merge_base ?? '') : reviewed;
    await db
      .insertInto('code_comments')
      .values({ comment_id: id, ...position, anchor_id })
      .execute();
  }
}

async function insertComment(context: Context, row: NewComment): Promise<number> {
  const { id } = await context.db.insertInto('comments').values(row).returning('id').executeTakeFirstOrThrow();
  const { issue_id, repository_id, body = '' } = row;
  if (body !== '') await indexComment(context, { id, issue_id, repository_id, body });
  return id;
}

async function follow({ context, repository }: Target, issueId: number): Promise<void> {
  const issue = await context.db.selectFrom('issues').selectAll().where('id', '=', issueId).executeTakeFirst();
  const pull = issue && (await findPullOfIssue(context.db, { ...issue, repository }));
  if (pull) await followLines(context, pull);
}
