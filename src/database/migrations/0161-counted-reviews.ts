import type { SchemaMigration } from './schema-kit.ts';

/** Reviews that are counted with the comments of their pull request. */
export const countedReviews: SchemaMigration = {
  name: '0161-counted-reviews',
  async up(kit) {
    await kit.addColumn('issues', 'counted_reviews', 'integer=0');
  },
};
