import { isValidBranchName } from '../../../../git/refs/ref-names.ts';
import type { Step } from '../../step.ts';

/** Topics and their repositories. */
export const topics: Step = {
  name: 'topics',
  table: 'topic',
  run: async (rows, batch) => {
    const ids = rows.map((row) => row.id);
    const links = await batch.source.rowsWith('repo_topic', 'topic_id', ids);
    const repositories = await batch.existingOf('repositories', links, 'repo_id');
    for (const row of rows)
      batch.add('topics', {
        id: row.id,
        name: row.line('name', 50),
        created_at: row.time('created_unix'),
        updated_at: row.time('updated_unix'),
      });
    for (const link of links) {
      if (!repositories.has(link.integer('repo_id'))) continue;
      batch.add('repository_topics', { repository_id: link.integer('repo_id'), topic_id: link.integer('topic_id') });
    }
  },
};

/** Former names of repositories. */
export const repositoryRedirects: Step = {
  name: 'former names of repositories',
  table: 'repo_redirect',
  run: async (rows, batch) => {
    const owners = await batch.existingOf('users', rows, 'owner_id');
    const repositories = await batch.existingOf('repositories', rows, 'redirect_repo_id');
    for (const row of rows) {
      if (!owners.has(row.integer('owner_id')) || !repositories.has(row.integer('redirect_repo_id'))) continue;
      batch.add('repository_redirects', {
        owner_id: row.integer('owner_id'),
        lower_name: row.line('lower_name').toLowerCase(),
        repository_id: row.integer('redirect_repo_id'),
      });
    }
  },
};

/** Deploy keys of repositories. */
export const deployKeys: Step = {
  name: 'deploy keys',
  table: 'deploy_key',
  run: async (rows, batch) => {
    const keys = await batch.existingOf('ssh_keys', rows, 'key_id');
    const repositories = await batch.existingOf('repositories', rows, 'repo_id');
    for (const row of rows) {
      if (!keys.has(row.integer('key_id')) || !repositories.has(row.integer('repo_id'))) continue;
      batch.add('deploy_keys', {
        id: row.id,
        key_id: row.integer('key_id'),
        repository_id: row.integer('repo_id'),
        title: row.line('name'),
        can_write: row.integer('mode') >= 2,
        created_at: row.time('created_unix'),
        last_used_at: row.time('updated_unix') > row.time('created_unix') ? row.time('updated_unix') : null,
      });
    }
  },
};

/** Former names of branches. */
export const renamedBranches: Step = {
  name: 'former names of branches',
  table: 'renamed_branch',
  run: async (rows, batch) => {
    const repositories = await batch.existingOf('repositories', rows, 'repo_id');
    for (const row of rows) {
      if (!repositories.has(row.integer('repo_id')) || !isValidBranchName(row.text('from')) || !isValidBranchName(row.text('to'))) continue;
      batch.add('renamed_branches', {
        repository_id: row.integer('repo_id'),
        from_name: row.text('from'),
        to_name: row.text('to'),
        created_at: row.time('created_unix'),
      });
    }
  },
};
