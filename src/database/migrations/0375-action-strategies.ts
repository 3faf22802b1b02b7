import type { SchemaMigration } from './schema-kit.ts';

/** `max-parallel` of matrices, and `continue-on-error` of jobs. */
export const actionStrategies: SchemaMigration = {
  name: '0375-action-strategies',
  up: async (kit) => {
    await kit.addColumn('action_jobs', 'is_held', 'boolean=false');
    await kit.addColumn('action_jobs', 'continue_on_error', 'boolean=false');
    // What is held is for no runner.
    for (const columns of [[], ['owner_id'], ['repository_id']]) {
      const all = [...columns, 'labels_key', 'updated_at', 'id'];
      await kit.db.schema.dropIndex(`action_jobs_${all.join('_')}_idx`).execute();
      await kit.index('action_jobs', all, { where: `status = 'waiting' and task_id is null and not is_held` });
    }
  },
};
