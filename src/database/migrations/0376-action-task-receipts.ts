import type { SchemaMigration } from './schema-kit.ts';

/** Tasks that never reached their runner are found by these. */
export const actionTaskReceipts: SchemaMigration = {
  name: '0376-action-task-receipts',
  up: async (kit) => {
    await kit.addColumn('action_tasks', 'has_reported', 'boolean=false');
    await kit.addColumn('action_runners', 'given_at', 'time?');
  },
};
