import type { SchemaMigration } from './schema-kit.ts';

/** What the tokens of jobs may do at most, and which repositories jobs of others read. */
export const actionSettings: SchemaMigration = {
  name: '0511-action-settings',
  phase: 'expand',
  async up(kit) {
    await kit.table('action_token_settings', {
      id: 'id',
      /** Of all repositories of an owner, or of one repository in place of them. */
      owner_id: 'part?:users',
      repository_id: 'part?:repositories',
      mode: 'text',
      maximum: 'json?',
    });
    await kit.index('action_token_settings', ['owner_id'], { unique: true });
    await kit.index('action_token_settings', ['repository_id'], { unique: true });
    await kit.table(
      'action_shared_repositories',
      { repository_id: 'ref:repositories', owner_id: 'ref:users' },
      { primaryKey: ['repository_id'] },
    );
    await kit.index('action_shared_repositories', ['owner_id']);
    await kit.table(
      'action_collaborative_owners',
      { repository_id: 'ref:repositories', owner_id: 'ref:users' },
      { primaryKey: ['repository_id', 'owner_id'] },
    );
    await kit.index('action_collaborative_owners', ['owner_id']);
  },
};
