import type { Step } from '../../step.ts';

/** Assignees of issues. */
export const assignees: Step = {
  name: 'assignees',
  table: 'issue_assignees',
  run: async (rows, batch) => {
    const issues = await batch.existingOf('issues', rows, 'issue_id');
    const users = await batch.existingOf('users', rows, 'assignee_id');
    for (const row of rows) {
      if (!issues.has(row.integer('issue_id')) || !users.has(row.integer('assignee_id'))) continue;
      batch.add('issue_assignees', { id: row.id, issue_id: row.integer('issue_id'), user_id: row.integer('assignee_id') });
    }
  },
};

/** Mentions in issues. */
export const mentions: Step = {
  name: 'mentions',
  table: 'issue_user',
  run: async (rows, batch) => {
    const mentioned = rows.filter((row) => row.flag('is_mentioned'));
    const issues = await batch.existingOf('issues', mentioned, 'issue_id');
    const users = await batch.existingOf('users', mentioned, 'uid');
    for (const row of mentioned) {
      if (!issues.has(row.integer('issue_id')) || !users.has(row.integer('uid'))) continue;
      batch.add('issue_mentions', { issue_id: row.integer('issue_id'), user_id: row.integer('uid') });
    }
  },
};

/** Subscriptions to issues, including unsubscriptions. */
export const issueWatches: Step = {
  name: 'subscriptions of issues',
  table: 'issue_watch',
  run: async (rows, batch) => {
    const issues = await batch.existingOf('issues', rows, 'issue_id');
    const users = await batch.existingOf('users', rows, 'user_id');
    for (const row of rows) {
      if (!issues.has(row.integer('issue_id')) || !users.has(row.integer('user_id'))) continue;
      batch.add('issue_watches', {
        issue_id: row.integer('issue_id'),
        user_id: row.integer('user_id'),
        is_watching: row.flag('is_watching'),
        created_at: row.time('created_unix'),
      });
    }
  },
};

/** Dependencies between issues. */
export const dependencies: Step = {
  name: 'dependencies',
  table: 'issue_dependency',
  run: async (rows, batch) => {
    const issues = await batch.existingOf('issues', rows, 'issue_id', 'dependency_id');
    for (const row of rows) {
      if (!issues.has(row.integer('issue_id')) || !issues.has(row.integer('dependency_id'))) continue;
      batch.add('issue_dependencies', {
        id: row.id,
        issue_id: row.integer('issue_id'),
        dependency_id: row.integer('dependency_id'),
        user_id: row.integer('user_id'),
        created_at: row.time('created_unix'),
      });
    }
  },
};

/** Reactions to issues and comments. */
export const reactions: Step = {
  name: 'reactions',
  table: 'reaction',
  run: async (rows, batch) => {
    const issues = await batch.existingOf('issues', rows, 'issue_id');
    const users = await batch.existingOf('users', rows, 'user_id');
    const comments = await batch.existingOf('comments', rows, 'comment_id');
    for (const row of rows) {
      const comment = row.reference('comment_id');
      if (!issues.has(row.integer('issue_id')) || !users.has(row.integer('user_id')) || (comment && !comments.has(comment))) continue;
      batch.add('reactions', {
        id: row.id,
        issue_id: row.integer('issue_id'),
        comment_id: comment,
        user_id: row.integer('user_id'),
        content: row.line('type', 100),
        created_at: row.time('created_unix'),
      });
    }
  },
};
