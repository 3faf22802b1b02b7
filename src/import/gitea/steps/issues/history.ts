import type { Step } from '../../step.ts';

/** Earlier texts of edited issues and comments. */
export const contentHistory: Step = {
  name: 'content history',
  table: 'issue_content_history',
  batchSize: 100,
  run: async (rows, batch) => {
    const issues = await batch.existingOf('issues', rows, 'issue_id');
    const comments = await batch.existingOf('comments', rows, 'comment_id');
    for (const row of rows) {
      const comment = row.reference('comment_id');
      if (!issues.has(row.integer('issue_id')) || (comment !== null && !comments.has(comment))) continue;
      const isDeleted = row.flag('is_deleted');
      batch.noteCuts(`content history ${row.id}`, row);
      batch.add('content_versions', {
        id: row.id,
        issue_id: row.integer('issue_id'),
        comment_id: comment,
        author_id: row.integer('poster_id'),
        body: isDeleted ? '' : row.text('content_text'),
        is_first: row.flag('is_first_created'),
        is_deleted: isDeleted,
        written_at: row.time('edited_unix'),
      });
    }
  },
};
