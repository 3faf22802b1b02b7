import type { SchemaMigration } from './schema-kit.ts';

/** What the last cleanup has counted of the contents of packages, so that it need not be added up for each view of it. */
export const packageBlobTotals: SchemaMigration = {
  name: '0615-package-blob-totals',
  phase: 'expand',
  async up(kit) {
    await kit.table('package_blob_totals', { last_id: 'integer', touched_at: 'time', size: 'integer' }, { primaryKey: ['last_id'] });
  },
};
