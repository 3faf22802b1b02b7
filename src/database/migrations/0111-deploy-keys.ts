import type { SchemaMigration } from './schema-kit.ts';

/** SSH keys that open one repository, to machines rather than people. */
export const deployKeys: SchemaMigration = {
  name: '0111-deploy-keys',
  async up(kit) {
    await kit.table('deploy_keys', {
      id: 'id',
      key_id: 'ref:ssh_keys',
      repository_id: 'ref:repositories',
      title: 'text',
      can_write: 'boolean=false',
      created_at: 'time',
      last_used_at: 'integer?',
    });
    await kit.index('deploy_keys', ['key_id', 'repository_id'], { unique: true });
    await kit.index('deploy_keys', ['repository_id', 'title'], { unique: true });
  },
};
