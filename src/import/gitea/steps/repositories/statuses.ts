import type { Step } from '../../step.ts';

const STATES = ['pending', 'success', 'error', 'failure', 'warning', 'skipped'] as const;

/** Commit statuses. */
export const statuses: Step = {
  name: 'statuses of commits',
  table: 'commit_status',
  run: async (rows, batch) => {
    const repositories = await batch.existingOf('repositories', rows, 'repo_id');
    const users = await batch.existingOf('users', rows, 'creator_id');
    for (const row of rows) {
      const state = STATES.find((state) => state === row.text('state'));
      if (state === undefined || !repositories.has(row.integer('repo_id'))) continue;
      const creator = row.reference('creator_id');
      batch.add('commit_statuses', {
        id: row.id,
        repository_id: row.integer('repo_id'),
        sha: row.line('sha', 64),
        number: row.integer('index'),
        context: row.text('context'),
        state,
        target_url: row.line('target_url', 2048),
        description: row.text('description'),
        creator_id: creator !== null && users.has(creator) ? creator : null,
        created_at: row.time('created_unix'),
        updated_at: row.time('updated_unix'),
      });
    }
  },
};

/** The number of statuses of commits. */
export const statusCounts: Step = {
  name: 'numbers of statuses',
  table: 'commit_status_index',
  run: async (rows, batch) => {
    const repositories = await batch.existingOf('repositories', rows, 'repo_id');
    for (const row of rows) {
      if (!repositories.has(row.integer('repo_id'))) continue;
      batch.add('commit_status_counts', {
        repository_id: row.integer('repo_id'),
        sha: row.line('sha', 64),
        last_number: row.integer('max_index'),
      });
    }
  },
};
