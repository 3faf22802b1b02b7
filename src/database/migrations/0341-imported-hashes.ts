import type { SchemaMigration } from './schema-kit.ts';

/** Hashes of Gitea, for tokens of runners and recovery codes that were imported and not used since. */
export const importedHashes: SchemaMigration = {
  name: '0341-imported-hashes',
  async up(kit) {
    await kit.addColumn('action_runners', 'imported_salt', 'text=');
    await kit.addColumn('two_factors', 'recovery_salt', 'text=');
  },
};
