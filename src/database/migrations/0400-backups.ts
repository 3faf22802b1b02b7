import type { SchemaMigration } from './schema-kit.ts';

/** Backups that are being made, and what waits for their end. */
export const backups: SchemaMigration = {
  name: '0400-backups',
  async up(kit) {
    // The row goes with the process that makes the backup.
    await kit.table('backups', { id: 'id', process_id: 'ref:processes', started_at: 'time' });
    await kit.index('backups', ['process_id']);
    await kit.table('backup_ref_moves', { id: 'id', repository_id: 'integer', updates: 'text' });
    await kit.table('held_blobs', { key: 'text', process_id: 'ref?:processes' }, { primaryKey: ['key'] });
    await kit.index('held_blobs', ['process_id']);
  },
};
