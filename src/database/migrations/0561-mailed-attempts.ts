import type { SchemaMigration } from './schema-kit.ts';

/** The attempt of a run whose end was mailed, so that one mail tells of it. */
export const mailedAttempts: SchemaMigration = {
  name: '0561-mailed-attempts',
  phase: 'expand',
  async up(kit) {
    await kit.addColumn('action_runs', 'mailed_attempt', 'integer=0');
  },
};
