import type { SchemaMigration } from './schema-kit.ts';

/** The metrics of each process, so that one process can show those of all. */
export const processMetrics: SchemaMigration = {
  name: '0406-process-metrics',
  async up(kit) {
    await kit.table(
      'process_metrics',
      { process_id: 'ref:processes', label: 'text', samples: 'json', taken_at: 'integer' },
      { primaryKey: ['process_id'] },
    );
  },
};
