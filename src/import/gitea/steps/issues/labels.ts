import type { Step } from '../../step.ts';

/** The year 9999: until 1.22, Gitea's deadline for "none". */
const NO_DEADLINE = 253_370_764_800;

/** Labels of repositories and of organizations. */
export const labels: Step = {
  name: 'labels',
  table: 'label',
  run: async (rows, batch) => {
    const repositories = await batch.existingOf('repositories', rows, 'repo_id');
    const organizations = await batch.existingOf('users', rows, 'org_id');
    for (const row of rows) {
      const [repository, organization] = [row.reference('repo_id'), row.reference('org_id')];
      if (repository === null ? organization === null || !organizations.has(organization) : !repositories.has(repository)) continue;
      const color = row.line('color').replace(/^#/, '').toLowerCase();
      if (!/^[0-9a-f]{6}$/.test(color)) batch.note(`label ${row.id}`, 'its color is none: it is grey now');
      batch.add('labels', {
        id: row.id,
        repository_id: repository,
        organization_id: repository === null ? organization : null,
        name: row.line('name'),
        description: row.text('description'),
        color: /^[0-9a-f]{6}$/.test(color) ? color : '808080',
        is_exclusive: row.flag('exclusive'),
        exclusive_order: row.integer('exclusive_order'),
        archived_at: row.timeOrNull('archived_unix'),
        created_at: row.time('created_unix'),
        updated_at: row.time('updated_unix'),
      });
    }
  },
};

/** Milestones of repositories. */
export const milestones: Step = {
  name: 'milestones',
  table: 'milestone',
  batchSize: 100,
  run: async (rows, batch) => {
    const repositories = await batch.existingOf('repositories', rows, 'repo_id');
    for (const row of rows) {
      if (!repositories.has(row.integer('repo_id'))) continue;
      const deadline = row.timeOrNull('deadline_unix');
      batch.noteCuts(`milestone ${row.id}`, row);
      batch.add('milestones', {
        id: row.id,
        repository_id: row.integer('repo_id'),
        title: row.line('name'),
        description: row.text('content'),
        is_closed: row.flag('is_closed'),
        deadline_at: deadline !== null && deadline >= NO_DEADLINE ? null : deadline,
        closed_at: row.timeOrNull('closed_date_unix'),
        created_at: row.time('created_unix'),
        updated_at: row.time('updated_unix'),
      });
    }
  },
};

/** Labels of issues. */
export const issueLabels: Step = {
  name: 'labels of issues',
  table: 'issue_label',
  run: async (rows, batch) => {
    const issues = await batch.existingOf('issues', rows, 'issue_id');
    const labels = await batch.existingOf('labels', rows, 'label_id');
    for (const row of rows) {
      if (!issues.has(row.integer('issue_id')) || !labels.has(row.integer('label_id'))) continue;
      batch.add('issue_labels', { issue_id: row.integer('issue_id'), label_id: row.integer('label_id') });
    }
  },
};
