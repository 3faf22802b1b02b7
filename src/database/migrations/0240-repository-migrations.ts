import { sql } from 'kysely';
import type { SchemaMigration } from './schema-kit.ts';

/** Migrations of repositories from other servers, and reactions of people who have no account here. */
export const repositoryMigrations: SchemaMigration = {
  name: '0240-repository-migrations',
  async up(kit) {
    await kit.table('repository_migrations', {
      id: 'id',
      actor_id: 'ref:users',
      owner_id: 'ref:users',
      repository_id: 'ref?:repositories',
      name: 'text',
      service: 'text',
      clone_url: 'text',
      options: 'text?',
      state: 'text',
      checkpoint: 'json',
      job_id: 'integer?',
      error: 'text=',
      error_status: 'integer=0',
      created_at: 'time',
      started_at: 'time?',
      ended_at: 'time?',
    });
    await kit.index('repository_migrations', ['actor_id', 'id']);
    await kit.index('repository_migrations', ['owner_id']);
    await kit.index('repository_migrations', ['repository_id']);
    await kit.index('repository_migrations', ['state', 'id'], { where: 'ended_at is null' });
    await kit.index('repository_migrations', ['ended_at'], { where: 'ended_at is not null' });
    await kit.addColumn('repositories', 'original_service', 'text=');
    await kit.addColumn('reactions', 'original_author', 'text=');
    await kit.addColumn('reactions', 'original_author_id', 'integer=0');
    for (const target of ['issue_id', 'comment_id']) {
      await sql`drop index ${sql.id(`reactions_${target}_content_user_id_key`)}`.execute(kit.db);
      const where = `comment_id is ${target === 'issue_id' ? 'null' : 'not null'}`;
      await kit.index('reactions', [target, 'content', 'user_id', 'original_author_id', 'original_author'], { unique: true, where });
    }
  },
};
