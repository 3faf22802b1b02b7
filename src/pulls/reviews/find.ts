import type { Context } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import { preparedIn } from '../../database/prepared.ts';
import type { BranchProtection } from '../../database/tables/code.ts';
import type { Team } from '../../database/tables/organizations.ts';
import type { PullRow, ReviewRow, ReviewType } from '../../database/tables/pulls.ts';

type OfIssue = Pick<PullRow, 'issue_id'>;
type Connection = Pick<Context, 'db'>;

/** The number of approvals that count for a rule; it may ignore stale ones. */
export async function approvals(
  { db }: Connection,
  { issue_id: issueId }: OfIssue,
  rule: Pick<BranchProtection, 'ignore_stale_approvals'>,
): Promise<number> {
  const { count } = await official(db, issueId, 'approve')
    .$if(rule.ignore_stale_approvals, (reviews) => reviews.where('is_stale', '=', false))
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Whether a reviewer whose reviews count requests changes. */
export async function isRejected({ db }: Connection, { issue_id: issueId }: OfIssue): Promise<boolean> {
  return (await official(db, issueId, 'reject').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** Whether a review by somebody whose reviews count is requested and not submitted yet. */
export async function hasOfficialRequests({ db }: Connection, { issue_id: issueId }: OfIssue): Promise<boolean> {
  return (await official(db, issueId, 'request').select('id').limit(1).executeTakeFirst()) !== undefined;
}

function official(db: Db, issueId: number, type: ReviewType) {
  return db
    .selectFrom('reviews')
    .where('issue_id', '=', issueId)
    .where('type', '=', type)
    .where('is_official', '=', true)
    .where('is_dismissed', '=', false);
}

/** The requested reviewers of a pull request, including those who have reviewed. */
export interface Reviewers {
  /** In the order of their last activity; ids of users that may be deleted. */
  readonly userIds: readonly number[];
  readonly teams: readonly Team[];
}

const reviewersOf = preparedIn((db, issueIds, ...types: ReviewType[]) =>
  db
    .selectFrom('reviews')
    .select(['issue_id', 'reviewer_id', 'reviewer_team_id'])
    .where('issue_id', 'in', issueIds)
    .where('type', 'in', types)
    .where('is_dismissed', '=', false)
    .where('original_author_id', '=', 0)
    .orderBy('updated_at')
    .orderBy('id'),
);

/**
 * The {@link Reviewers} of pull requests, by the id of the issue; those without any are left out.
 * @param commenters whether to include those who only commented: lists leave them out
 */
export async function requestedReviewers(
  { db }: Connection,
  pulls: readonly OfIssue[],
  { commenters = true }: { commenters?: boolean } = {},
): Promise<Map<number, Reviewers>> {
  if (pulls.length === 0) return new Map();
  const ids = pulls.map((pull) => pull.issue_id);
  // Always the same number of types, since there is one statement for each number of ids.
  const rows = await reviewersOf(db, ids, 'approve', 'reject', 'request', commenters ? 'comment' : 'request');
  const teamIds = [...new Set(rows.flatMap((row) => row.reviewer_team_id ?? []))];
  const teams = teamIds.length === 0 ? [] : await db.selectFrom('teams').selectAll().where('id', 'in', teamIds).execute();
  const byIssue = Map.groupBy(rows, (row) => row.issue_id);
  return new Map(
    [...byIssue].map(([issueId, reviews]) => {
      const requested = latest(reviews.flatMap((review) => review.reviewer_team_id ?? []));
      return [
        issueId,
        {
          userIds: latest(reviews.flatMap((review) => (review.reviewer_team_id === null ? (review.reviewer_id ?? []) : []))),
          teams: requested.flatMap((id) => teams.find((team) => team.id === id) ?? []),
        },
      ];
    }),
  );
}

/** Each once, at its last position. */
function latest(ids: readonly number[]): number[] {
  return [...new Set(ids.toReversed())].toReversed();
}

const reviewsOf = preparedIn((db, issueIds) =>
  db
    .selectFrom('comments')
    .select((select) => ['issue_id', select.fn.countAll<number>().as('count')])
    .where('issue_id', 'in', issueIds)
    .where('kind', '=', 'review')
    .groupBy('issue_id'),
);

/** The number of reviews that others see, by the id of the issue: the count of review comments in the API. */
export async function reviewCounts({ db }: Connection, pulls: readonly OfIssue[]): Promise<Map<number, number>> {
  const rows = await reviewsOf(
    db,
    pulls.map((pull) => pull.issue_id),
  );
  return new Map(rows.map((row) => [row.issue_id, Number(row.count)]));
}

/** The latest decision of a user about a pull request, or the latest request for one. */
export async function latestReviewBy({ db }: Connection, issueId: number, userId: number): Promise<ReviewRow | undefined> {
  return db
    .selectFrom('reviews')
    .selectAll()
    .where('issue_id', '=', issueId)
    .where('reviewer_id', '=', userId)
    .where('type', 'in', ['approve', 'reject', 'request'])
    .where('original_author_id', '=', 0)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}
