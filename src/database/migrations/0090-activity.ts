import type { SchemaMigration } from './schema-kit.ts';

/** What people did, and in whose feeds it is. */
export const activity: SchemaMigration = {
  name: '0090-activity',
  async up(kit) {
    await kit.table('activities', {
      id: 'id',
      event_id: 'integer',
      part: 'integer',
      type: 'text',
      actor_id: 'integer',
      repository_id: 'ref:repositories',
      issue_id: 'part?:issues',
      comment_id: 'integer?',
      ref: 'text=',
      content: 'text=',
      created_at: 'time',
    });
    await kit.index('activities', ['event_id', 'part'], { unique: true });
    await kit.index('activities', ['repository_id', 'id']);
    await kit.index('activities', ['actor_id', 'created_at']);
    await kit.index('activities', ['created_at']);
    await kit.index('activities', ['issue_id'], { where: 'issue_id is not null' });
    await kit.table('activity_feeds', { user_id: 'ref:users', activity_id: 'ref:activities' }, { primaryKey: ['user_id', 'activity_id'] });
    await kit.index('activity_feeds', ['activity_id']);
  },
};
