import type { SchemaMigration } from './schema-kit.ts';

/** Indexes of the time that is tracked in a range of days, and of repositories by their language. */
export const listIndexes: SchemaMigration = {
  name: '0580-list-indexes',
  phase: 'expand',
  async up(kit) {
    await kit.index('tracked_times', ['worked_at', 'issue_id']);
    await kit.index('repositories', ['language', 'id']);
  },
};
