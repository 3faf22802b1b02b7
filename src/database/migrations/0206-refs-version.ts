import type { SchemaMigration } from './schema-kit.ts';

/** Counts the moves of refs: what was read from git before a transaction is still so if no other move was recorded in between. */
export const refsVersion: SchemaMigration = {
  name: '0206-refs-version',
  async up(kit) {
    await kit.addColumn('repositories', 'refs_version', 'integer=0');
  },
};
