import type { SchemaMigration } from './schema-kit.ts';

/** Backups that were made: when, and what they show. */
export const madeBackups: SchemaMigration = {
  name: '0510-made-backups',
  phase: 'expand',
  async up(kit) {
    await kit.table('made_backups', { id: 'id', moment: 'time', ended_at: 'time', bytes: 'integer', transferred: 'integer' });
    await kit.index('made_backups', ['moment']);
  },
};
