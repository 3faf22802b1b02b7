import type { User as UserShape } from '../../accounts/users/schema.ts';
import type { Context } from '../../context.ts';
import type { CommentRow } from '../../database/tables/issues.ts';
import type { CodeCommentRow, ReviewRow } from '../../database/tables/pulls.ts';
import { only } from '../../http/only.ts';
import { type Shape, wireTime } from '../../http/schema.ts';
import type { Issue } from '../../issues/find.ts';
import { findPeople, presentPeople } from '../../issues/people.ts';
import { issueHtmlUrl } from '../../issues/urls.ts';
import { presentTeams } from '../../organizations/teams/present.ts';
import { type PullReview, type PullReviewComment, STATES } from './schema.ts';

type WireReview = Shape<typeof PullReview>;
type WireComment = Shape<typeof PullReviewComment>;

/** A review on the wire. */
export async function presentReview(context: Context, review: ReviewRow, issue: Issue): Promise<WireReview> {
  return only(await presentReviews(context, [review], issue));
}

/** {@link presentReview} for the reviews of one pull request, in as many queries as for one. */
export async function presentReviews(context: Context, reviews: readonly ReviewRow[], issue: Issue): Promise<WireReview[]> {
  if (reviews.length === 0) return [];
  const [people, teams, rows] = await Promise.all([
    peopleOf(
      context,
      reviews.map((review) => review.reviewer_id),
    ),
    teamsOf(context, reviews),
    rowsOf(context, reviews),
  ]);
  const page = issueHtmlUrl(context.settings, issue);
  return reviews.map((review) => {
    const own = rows.get(review.id);
    const isOfTeam = review.reviewer_team_id !== null;
    return {
      id: review.id,
      user: isOfTeam ? null : people(review.reviewer_id),
      team: teams.find((team) => team.id === review.reviewer_team_id) ?? null,
      state: STATES[review.type],
      body: review.body,
      commit_id: review.commit_id,
      stale: review.is_stale,
      // Gitea marks no request of a team, whether it blocks the merge or not.
      official: review.is_official && !isOfTeam,
      dismissed: review.is_dismissed,
      comments_count: own?.comments ?? 0,
      submitted_at: wireTime(review.created_at),
      updated_at: wireTime(review.updated_at),
      html_url: own?.shownId ? `${page}#issuecomment-${own.shownId}` : '',
      pull_request_url: page,
    };
  });
}

/** A comment on a line of code as stored. */
export interface CodeComment extends CommentRow, CodeCommentRow {}

/** A review's comments on lines of code on the wire. Until it is submitted, they have only the URL of the files page. */
export async function presentCodeComments(
  context: Context,
  comments: readonly CodeComment[],
  review: Pick<ReviewRow, 'type'>,
  issue: Issue,
): Promise<WireComment[]> {
  const people = await peopleOf(
    context,
    comments.flatMap((comment) => [comment.author_id, comment.resolver_id]),
  );
  const page = issueHtmlUrl(context.settings, issue);
  return comments.map((comment) => ({
    id: comment.id,
    body: comment.body,
    user: people(comment.author_id),
    resolver: comment.resolver_id === null ? null : people(comment.resolver_id),
    pull_request_review_id: comment.review_id ?? 0,
    created_at: wireTime(comment.created_at),
    updated_at: wireTime(comment.updated_at),
    path: comment.path,
    commit_id: comment.commit_id,
    original_commit_id: comment.old_ref,
    diff_hunk: comment.diff_hunk,
    position: Math.max(0, comment.line),
    original_position: Math.max(0, -comment.line),
    html_url: `${page}${review.type === 'pending' ? '/files' : ''}#issuecomment-${comment.id}`,
    pull_request_url: page,
  }));
}

async function peopleOf(context: Context, ids: readonly (number | null)[]): Promise<(id: number | null) => Shape<typeof UserShape>> {
  const people = await findPeople(
    context.db,
    ids.flatMap((id) => id ?? []),
    [context.actor],
  );
  const present = presentPeople(context, people, context.actor);
  return (id) => present(id ?? 0);
}

async function teamsOf(context: Context, reviews: readonly ReviewRow[]) {
  const ids = [...new Set(reviews.flatMap((review) => review.reviewer_team_id ?? []))];
  if (ids.length === 0) return [];
  return presentTeams(context, await context.db.selectFrom('teams').selectAll().where('id', 'in', ids).execute());
}

/** The number of comments on code of each review, and its timeline row. */
async function rowsOf({ db }: Context, reviews: readonly ReviewRow[]): Promise<Map<number, { comments: number; shownId: number }>> {
  const rows = await db
    .selectFrom('comments')
    .select((select) => ['review_id', 'kind', select.fn.countAll<number>().as('count'), select.fn.min('id').as('first')])
    .where(
      'review_id',
      'in',
      reviews.map((review) => review.id),
    )
    .where('kind', 'in', ['code', 'review'])
    .groupBy(['review_id', 'kind'])
    .execute();
  const found = new Map<number, { comments: number; shownId: number }>();
  for (const { review_id: id, kind, count, first } of rows) {
    const known = found.get(id ?? 0) ?? { comments: 0, shownId: 0 };
    if (kind === 'code') known.comments = Number(count);
    else known.shownId = Number(first);
    found.set(id ?? 0, known);
  }
  return found;
}
