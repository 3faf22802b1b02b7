import type { SchemaMigration } from './schema-kit.ts';

/** Releases; their files are in the table of attachments. */
export const releases: SchemaMigration = {
  name: '0130-releases',
  async up(kit) {
    await kit.table('releases', {
      id: 'id',
      repository_id: 'ref:repositories',
      tag_name: 'text',
      lower_tag_name: 'text',
      target: 'text=',
      title: 'text=',
      note: 'text=',
      is_draft: 'boolean=false',
      is_prerelease: 'boolean=false',
      publisher_id: 'integer',
      original_author: 'text=',
      original_author_id: 'integer=0',
      created_at: 'time',
    });
    await kit.index('releases', ['repository_id', 'lower_tag_name'], { unique: true });
    await kit.index('releases', ['repository_id', 'created_at desc', 'id desc']);
    await kit.index('releases', ['repository_id', 'is_draft', 'created_at desc', 'id desc']);
    await kit.index('releases', ['repository_id', 'is_draft', 'is_prerelease', 'created_at desc', 'id desc']);
  },
};
