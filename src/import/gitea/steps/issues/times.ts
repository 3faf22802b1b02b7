import type { Step } from '../../step.ts';

/** Time spent on issues. */
export const trackedTimes: Step = {
  name: 'tracked times',
  table: 'tracked_time',
  run: async (rows, batch) => {
    const issues = await batch.existingOf('issues', rows, 'issue_id');
    for (const row of rows) {
      if (!issues.has(row.integer('issue_id'))) continue;
      batch.add('tracked_times', {
        id: row.id,
        issue_id: row.integer('issue_id'),
        user_id: row.integer('user_id'),
        seconds: row.integer('time'),
        is_deleted: row.flag('deleted'),
        worked_at: row.time('created_unix'),
        created_at: row.time('created_unix'),
      });
    }
  },
};

/** Running stopwatches: one per user. */
export const stopwatches: Step = {
  name: 'stopwatches',
  table: 'stopwatch',
  run: async (rows, batch) => {
    const issues = await batch.existingOf('issues', rows, 'issue_id');
    const users = await batch.existingOf('users', rows, 'user_id');
    for (const row of rows) {
      if (!issues.has(row.integer('issue_id')) || !users.has(row.integer('user_id'))) continue;
      batch.add('stopwatches', {
        user_id: row.integer('user_id'),
        issue_id: row.integer('issue_id'),
        created_at: row.time('created_unix'),
      });
    }
  },
};
