import type { SchemaMigration } from './schema-kit.ts';

/** Git LFS: stored objects, the repositories that have them, and locks of files. */
export const lfs: SchemaMigration = {
  name: '0220-lfs',
  async up(kit) {
    await kit.table('lfs_objects', { id: 'id', oid: 'text', size: 'integer', blob: 'text', touched_at: 'time' }, { unique: [['oid']] });
    // Those that nothing refers to any more are found by age.
    await kit.index('lfs_objects', ['touched_at', 'id']);
    await kit.table(
      'lfs_links',
      { repository_id: 'ref:repositories', object_id: 'ref:lfs_objects', created_at: 'time', seen_at: 'time' },
      { primaryKey: ['repository_id', 'object_id'] },
    );
    await kit.index('lfs_links', ['object_id']);
    await kit.table('lfs_locks', {
      id: 'id',
      repository_id: 'ref:repositories',
      owner_id: 'ref?:users',
      path: 'text',
      lower_path: 'text',
      created_at: 'time',
    });
    await kit.index('lfs_locks', ['repository_id', 'lower_path'], { unique: true });
    await kit.index('lfs_locks', ['repository_id', 'id']);
    await kit.index('lfs_locks', ['owner_id']);
  },
};
