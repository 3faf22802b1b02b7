import type { NotificationSource, NotificationStatus } from '../../../../database/tables/issue-activity.ts';
import type { Step } from '../../step.ts';

/** By Gitea's numbers, which begin at 1 (models/activities/notification.go). */
const STATUSES: readonly NotificationStatus[] = ['unread', 'read', 'pinned'];
const SOURCES: readonly NotificationSource[] = ['issue', 'pull', 'commit', 'repository'];

/** Notifications of users. */
export const notifications: Step = {
  name: 'notifications',
  table: 'notification',
  run: async (rows, batch) => {
    const users = await batch.existingOf('users', rows, 'user_id');
    const repositories = await batch.existingOf('repositories', rows, 'repo_id');
    const issues = await batch.existingOf('issues', rows, 'issue_id');
    for (const row of rows) {
      const [status, source] = [STATUSES[row.integer('status') - 1], SOURCES[row.integer('source') - 1]];
      const issue = row.reference('issue_id');
      if (!status || !source || !users.has(row.integer('user_id')) || !repositories.has(row.integer('repo_id'))) continue;
      if (issue !== null && !issues.has(issue)) continue;
      batch.add('notifications', {
        id: row.id,
        user_id: row.integer('user_id'),
        repository_id: row.integer('repo_id'),
        source,
        status,
        issue_id: issue,
        commit_id: row.line('commit_id', 64),
        updated_by: row.integer('updated_by'),
        created_at: row.time('created_unix'),
        updated_at: row.time('updated_unix'),
      });
    }
  },
};
