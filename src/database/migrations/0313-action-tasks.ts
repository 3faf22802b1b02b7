import { sql } from 'kysely';
import type { SchemaMigration } from './schema-kit.ts';

/** What runners ask for: whether there is anything new for them, and where their logs go while they are written. */
export const actionTasks: SchemaMigration = {
  name: '0313-action-tasks',
  up: async (kit) => {
    await kit.table('action_task_versions', {
      id: 'id',
      owner_id: 'part?:users',
      repository_id: 'part?:repositories',
      version: 'integer=1',
    });
    await kit.index('action_task_versions', ['repository_id'], { unique: true, where: 'repository_id is not null' });
    await kit.index('action_task_versions', ['owner_id'], { unique: true, where: 'owner_id is not null' });
    await kit.table(
      'action_log_blocks',
      { task_id: 'ref:action_tasks', first_line: 'integer', lines: 'integer', size: 'integer', content: 'bytes' },
      { primaryKey: ['task_id', 'first_line'] },
    );
    for (const columns of [['repository_id'], ['owner_id'], []]) {
      await kit.index('action_runners', [...columns, 'last_online_at desc', 'id']);
    }
    // That of the instance.
    await sql`insert into action_task_versions (version) values (1)`.execute(kit.db);
  },
};
