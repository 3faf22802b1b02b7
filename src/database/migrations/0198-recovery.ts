import type { SchemaMigration } from './schema-kit.ts';

/**
 * What a process has begun refers to its row among the processes: once that is deleted, others finish it or take it back. Before, host
 * and pid stood for a process, which repeat in containers.
 */
export const recovery: SchemaMigration = {
  name: '0198-recovery',
  async up(kit) {
    for (const table of ['ref_moves', 'pull_merges']) {
      await kit.db.schema.alterTable(table).dropColumn('process').execute();
      await kit.addColumn(table, 'process_id', 'ref?:processes');
      await kit.index(table, ['process_id']);
    }
    await kit.addColumn('repositories', 'process_id', 'ref?:processes');
    await kit.index('repositories', ['process_id'], { where: 'process_id is not null' });
    await kit.index('repositories', ['state', 'id'], { where: "state <> 'ready'" });
  },
};
