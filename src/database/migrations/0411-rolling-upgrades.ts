import type { SchemaMigration } from './schema-kit.ts';

/**
 * Which migrations older programs can live with, and which migrations each running process knows: so old and new processes run side by
 * side during an upgrade.
 */
export const rollingUpgrades: SchemaMigration = {
  name: '0411-rolling-upgrades',
  phase: 'expand',
  async up(kit) {
    await kit.addColumn('kysely_migration', 'phase', 'text?');
    await kit.addColumn('processes', 'schema', 'text?');
  },
};
