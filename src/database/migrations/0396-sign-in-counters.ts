import type { SchemaMigration } from './schema-kit.ts';

/** Failed sign-ins by account and address, so that their limits hold for the instance and over restarts; each process counted its own before. */
export const signInCounters: SchemaMigration = {
  name: '0396-sign-in-counters',
  async up(kit) {
    await kit.table('sign_in_counters', { key: 'text', count: 'integer', expires_at: 'integer' }, { primaryKey: ['key'] });
    await kit.index('sign_in_counters', ['expires_at']);
  },
};
