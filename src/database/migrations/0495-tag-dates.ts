import type { SchemaMigration } from './schema-kit.ts';

/** When tags were made by requests: a plain one has no date in git. */
export const tagDates: SchemaMigration = {
  name: '0495-tag-dates',
  phase: 'expand',
  async up(kit) {
    await kit.table(
      'tag_dates',
      { repository_id: 'ref:repositories', name: 'text', made_at: 'time' },
      { primaryKey: ['repository_id', 'name'] },
    );
  },
};
