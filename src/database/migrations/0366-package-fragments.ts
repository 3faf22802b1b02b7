import type { SchemaMigration } from './schema-kit.ts';

/** The parts that versions have in documents of their package: a document of 10,000 versions is put together of them. */
export const packageFragments: SchemaMigration = {
  name: '0366-package-fragments',
  async up(kit) {
    await kit.addColumn('package_versions', 'revision', 'integer=0');
    await kit.table(
      'package_fragments',
      { version_id: 'ref:package_versions', variant: 'text', revision: 'integer', content: 'text' },
      { primaryKey: ['version_id', 'variant'] },
    );
  },
};
