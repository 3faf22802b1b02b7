import type { SchemaMigration } from './schema-kit.ts';

/** What may start workflows. */
export const actionEvents: SchemaMigration = {
  name: '0312-action-events',
  up: async (kit) => {
    await kit.table('action_events', {
      id: 'id',
      repository_id: 'ref:repositories',
      event: 'text',
      actor_id: 'integer',
      ref: 'text?',
      issue_id: 'integer?',
      payload: 'text',
      completion: 'json',
      created_at: 'time',
    });
    await kit.index('action_events', ['repository_id', 'id']);
    await kit.table(
      'action_repositories',
      { repository_id: 'ref:repositories', version: 'integer=0', has_workflows: 'boolean?' },
      { primaryKey: ['repository_id'] },
    );
    await kit.addColumn('action_runs', 'workflow_name', 'text=');
    await kit.addColumn('action_jobs', 'has_condition', 'boolean=false');
  },
};
