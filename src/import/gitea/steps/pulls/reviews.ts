import type { ReviewType } from '../../../../database/tables/pulls.ts';
import type { Step } from '../../step.ts';

/** Kinds of reviews, by Gitea's number (models/issues/review.go, `ReviewType`). */
const TYPES: readonly ReviewType[] = ['pending', 'approve', 'comment', 'reject', 'request'];

/** Reviews and review requests. */
export const reviews: Step = {
  name: 'reviews',
  table: 'review',
  batchSize: 100,
  run: async (rows, batch) => {
    const issues = await batch.existingOf('issues', rows, 'issue_id');
    const teams = await batch.existingOf('teams', rows, 'reviewer_team_id');
    for (const row of rows) {
      const type = TYPES[row.integer('type')];
      const team = row.reference('reviewer_team_id');
      if (type === undefined || !issues.has(row.integer('issue_id')) || (team !== null && !teams.has(team))) continue;
      batch.noteCuts(`review ${row.id}`, row);
      batch.add('reviews', {
        id: row.id,
        issue_id: row.integer('issue_id'),
        type,
        reviewer_id: team === null ? row.integer('reviewer_id') : null,
        reviewer_team_id: team,
        original_author: row.line('original_author'),
        original_author_id: row.integer('original_author_id'),
        body: row.text('content'),
        is_official: row.flag('official'),
        commit_id: row.line('commit_id', 64),
        is_stale: row.flag('stale'),
        is_dismissed: row.flag('dismissed'),
        created_at: row.time('created_unix'),
        updated_at: row.time('updated_unix'),
      });
    }
  },
};
