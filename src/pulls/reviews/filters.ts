import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { Tables } from '../../database/tables.ts';

type Where = ExpressionBuilder<Tables, 'issues'>;

/** The condition that a pull request of somebody else has a pending review request for the user or one of their teams. */
export function reviewRequested(where: Where, userId: number): Expression<SqlBool> {
  const requests = where
    .selectFrom('reviews as request')
    .select('request.issue_id')
    .where('request.type', '=', 'request')
    .where((request) =>
      request.or([request('request.reviewer_id', '=', userId), request('request.reviewer_team_id', 'in', teamsOf(where, userId))]),
    )
    // A later decision fulfils the request.
    .where((request) =>
      request.not(
        request.exists(
          request
            .selectFrom('reviews as later')
            .select(sql`1`.as('one'))
            .whereRef('later.issue_id', '=', 'request.issue_id')
            .whereRef('later.reviewer_id', '=', 'request.reviewer_id')
            .whereRef('later.id', '>', 'request.id')
            .where('later.type', 'in', ['approve', 'reject']),
        ),
      ),
    );
  return where.and([where('issues.author_id', '!=', userId), where('issues.id', 'in', requests)]);
}

/** The condition that the user has reviewed or commented on a pull request of somebody else. */
export function reviewedBy(where: Where, userId: number): Expression<SqlBool> {
  const reviews = where.selectFrom('reviews').select('issue_id').where('type', '!=', 'request').where('reviewer_id', '=', userId);
  const comments = where
    .selectFrom('comments')
    .select('issue_id')
    .where('author_id', '=', userId)
    .where('kind', 'in', ['comment', 'code', 'review']);
  return where.and([
    where('issues.author_id', '!=', userId),
    where.or([where('issues.id', 'in', reviews), where('issues.id', 'in', comments)]),
  ]);
}

function teamsOf(where: Where, userId: number) {
  return where.selectFrom('team_members').select('team_id').where('user_id', '=', userId);
}
