import type { SchemaMigration } from './schema-kit.ts';

/** For which versions of a list have changed, without reading their rows. */
export const versionSums: SchemaMigration = {
  name: '0612-version-sums',
  phase: 'expand',
  async up(kit) {
    await kit.index('package_versions', ['package_id', 'is_internal', 'id', 'revision']);
    await kit.index('package_versions', ['owner_id', 'type', 'is_internal', 'id', 'revision']);
  },
};
