import type { SchemaMigration } from './schema-kit.ts';

/** What owners of packages want deleted by itself. */
export const packageCleanupRules: SchemaMigration = {
  name: '0301-package-cleanup-rules',
  async up(kit) {
    await kit.table('package_cleanup_rules', {
      id: 'id',
      owner_id: 'ref:users',
      type: 'text',
      enabled: 'boolean',
      keep_count: 'integer',
      keep_pattern: 'text',
      remove_days: 'integer',
      remove_pattern: 'text',
      match_full_name: 'boolean',
      created_at: 'time',
      updated_at: 'time',
    });
    await kit.index('package_cleanup_rules', ['owner_id', 'type'], { unique: true });
  },
};
