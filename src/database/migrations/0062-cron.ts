import type { SchemaMigration } from './schema-kit.ts';

export const cron: SchemaMigration = {
  name: '0062-cron',
  async up(kit) {
    await kit.table(
      'cron_tasks',
      { name: 'text', runs: 'integer=0', started_at: 'time=0', leased_until: 'time=0', error: 'text=' },
      { primaryKey: ['name'] },
    );
  },
};
