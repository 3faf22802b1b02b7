import type { SchemaMigration } from './schema-kit.ts';

const COMMON = {
  remote_url: 'text',
  remote_host: 'text',
  credentials: 'text?',
  interval: 'integer',
  next_at: 'time?',
  failures: 'integer=0',
  last_error: 'text=',
  created_at: 'time',
};

/** Repositories that follow those of other servers, and repositories of other servers that follow ours. */
export const mirrors: SchemaMigration = {
  name: '0230-mirrors',
  up: async (kit) => {
    await kit.table('mirrors', {
      id: 'id',
      repository_id: 'ref:repositories',
      ...COMMON,
      enable_prune: 'boolean=true',
      wiki_url: 'text=',
      lfs: 'boolean=false',
      lfs_endpoint: 'text=',
      updated_at: 'time',
    });
    await kit.index('mirrors', ['repository_id'], { unique: true });
    await kit.table('push_mirrors', {
      id: 'id',
      repository_id: 'ref:repositories',
      remote_name: 'text',
      ...COMMON,
      sync_on_commit: 'boolean=false',
      last_update_at: 'time?',
    });
    await kit.index('push_mirrors', ['repository_id', 'remote_name'], { unique: true });
    await kit.index('push_mirrors', ['repository_id', 'id']);
    for (const table of ['mirrors', 'push_mirrors'])
      await kit.index(table, ['remote_host', 'next_at', 'id'], { where: 'next_at is not null' });
    for (const table of ['mirrors', 'push_mirrors']) await kit.index(table, ['next_at'], { where: 'next_at is not null' });
  },
};
