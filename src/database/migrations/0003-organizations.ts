import type { SchemaMigration } from './schema-kit.ts';

export const organizations: SchemaMigration = {
  name: '0003-organizations',
  async up(kit) {
    await kit.table(
      'organization_members',
      { organization_id: 'ref:users', user_id: 'ref:users', is_public: 'boolean=false' },
      { primaryKey: ['organization_id', 'user_id'] },
    );
    await kit.index('organization_members', ['user_id']);
    await kit.table('teams', {
      id: 'id',
      organization_id: 'ref:users',
      name: 'text',
      lower_name: 'text',
      description: 'text=',
      access_level: 'integer',
      includes_all_repositories: 'boolean=false',
      can_create_repositories: 'boolean=false',
      repos_count: 'integer=0',
      members_count: 'integer=0',
    });
    await kit.index('teams', ['organization_id', 'lower_name'], { unique: true });
    await kit.table('team_units', { team_id: 'ref:teams', unit: 'text', access_level: 'integer' }, { primaryKey: ['team_id', 'unit'] });
    await kit.table(
      'team_members',
      { team_id: 'ref:teams', organization_id: 'ref:users', user_id: 'ref:users' },
      { primaryKey: ['team_id', 'user_id'] },
    );
    await kit.index('team_members', ['user_id', 'organization_id']);
    await kit.index('team_members', ['organization_id', 'user_id']);
  },
};
