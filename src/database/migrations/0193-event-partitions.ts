import type { SchemaMigration } from './schema-kit.ts';

/** Events of one repository are handed on in their order, those of several at the same time, by whichever process holds the lease. */
export const eventPartitions: SchemaMigration = {
  name: '0193-event-partitions',
  async up(kit) {
    await kit.addColumn('event_deliveries', 'partition', 'integer=0');
    await kit.index('event_deliveries', ['partition', 'subscriber', 'event_id']);
    await kit.index('event_deliveries', ['partition', 'subscriber'], { where: 'attempts > 0' });
    await kit.db.schema.dropTable('event_leases').execute();
    await kit.table('event_leases', { partition: 'integer', process_id: 'ref:processes' }, { primaryKey: ['partition'] });
    await kit.index('event_leases', ['process_id']);
  },
};
