import type { SchemaMigration } from './schema-kit.ts';

export const repositoryDetails: SchemaMigration = {
  name: '0030-repositories',
  async up(kit) {
    await kit.table(
      'repository_languages',
      { repository_id: 'ref:repositories', language: 'text', bytes: 'integer' },
      { primaryKey: ['repository_id', 'language'] },
    );
    await kit.table(
      'repository_transfers',
      { repository_id: 'ref:repositories', doer_id: 'ref:users', recipient_id: 'ref:users', team_ids: 'json=[]', created_at: 'time' },
      { primaryKey: ['repository_id'] },
    );
    await kit.index('repository_transfers', ['doer_id']);
    await kit.index('repository_transfers', ['recipient_id']);
  },
};
