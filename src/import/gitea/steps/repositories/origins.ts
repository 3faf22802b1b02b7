import type { Step } from '../../step.ts';

/** Parents and templates of repositories that were imported later than these. */
export const origins: Step = {
  name: 'origins of repositories',
  table: 'repository',
  run: async (rows, batch) => {
    const later = rows.filter((row) => row.integer('fork_id') > row.id || row.integer('template_id') > row.id);
    const sources = await batch.existingOf('repositories', later, 'fork_id', 'template_id');
    for (const row of later) {
      const [fork, template] = [row.integer('fork_id'), row.integer('template_id')];
      const columns = { ...(sources.has(fork) && { fork_id: fork }), ...(sources.has(template) && { template_id: template }) };
      if (Object.keys(columns).length === 0) continue;
      batch.change((db) => db.updateTable('repositories').set(columns).where('id', '=', row.id).execute());
    }
  },
};
