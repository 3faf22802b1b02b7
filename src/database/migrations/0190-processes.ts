import type { SchemaMigration } from './schema-kit.ts';

/** The running processes: what a process holds refers to its row, and is free once that is deleted. */
export const processes: SchemaMigration = {
  name: '0190-processes',
  async up(kit) {
    await kit.table('processes', {
      id: 'id',
      role: 'text',
      host: 'text',
      pid: 'integer',
      version: 'text',
      started_at: 'time',
      heartbeat_at: 'time',
    });
  },
};
