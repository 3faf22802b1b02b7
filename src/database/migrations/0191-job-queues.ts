import type { SchemaMigration } from './schema-kit.ts';

/** Jobs wait in named queues, and a process that is gone holds none of them, nor a regular task. */
export const jobQueues: SchemaMigration = {
  name: '0191-job-queues',
  async up(kit) {
    await kit.db.schema.dropIndex('jobs_due_at_leased_until_idx').execute();
    await kit.db.schema.dropIndex('jobs_type_key_key').execute();
    await kit.db.schema.alterTable('jobs').dropColumn('leased_until').execute();
    await kit.addColumn('jobs', 'queue', 'text=default');
    await kit.addColumn('jobs', 'process_id', 'ref?:processes');
    await kit.addColumn('jobs', 'running_key', 'text?');
    await kit.addColumn('jobs', 'started_at', 'integer?');
    await kit.addColumn('jobs', 'progress', 'json?');
    await kit.addColumn('jobs', 'is_cancelled', 'boolean=false');
    // Two rows may have had the key of a job that was being done while it was queued again.
    await kit.db
      .updateTable('jobs' as never)
      .set({ key: null } as never)
      .execute();
    await kit.index('jobs', ['type', 'key'], { unique: true, where: 'key is not null' });
    await kit.index('jobs', ['type', 'running_key'], { where: 'running_key is not null' });
    await kit.index('jobs', ['queue', 'due_at', 'id'], { where: 'process_id is null' });
    await kit.index('jobs', ['process_id'], { where: 'process_id is not null' });
    await kit.db.schema.alterTable('cron_tasks').dropColumn('leased_until').execute();
    await kit.addColumn('cron_tasks', 'process_id', 'ref?:processes');
  },
};
