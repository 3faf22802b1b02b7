import type { SchemaMigration } from './schema-kit.ts';

/** Which volume each repository lies on, and how far those are that are being moved to another. */
export const repositoryVolumes: SchemaMigration = {
  name: '0410-repository-volumes',
  phase: 'expand',
  async up(kit) {
    await kit.addColumn('repositories', 'volume', 'text=default');
    await kit.index('repositories', ['volume', 'id']);
    await kit.table(
      'repository_moves',
      {
        repository_id: 'ref:repositories',
        from_volume: 'text',
        to_volume: 'text',
        phase: 'text=copying',
        step: 'integer=0',
        process_id: 'ref?:processes',
      },
      { primaryKey: ['repository_id'] },
    );
    await kit.index('repository_moves', ['process_id']);
    await kit.table(
      'repository_move_steps',
      { repository_id: 'ref:repositories', process_id: 'ref:processes', step: 'integer' },
      { primaryKey: ['repository_id', 'process_id'] },
    );
    await kit.index('repository_move_steps', ['process_id']);
  },
};
