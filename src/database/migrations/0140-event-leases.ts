import type { SchemaMigration } from './schema-kit.ts';

/** Which process hands events to a subscriber; and what waits for one is found without going through what waits for others. */
export const eventLeases: SchemaMigration = {
  name: '0140-event-leases',
  async up(kit) {
    await kit.table('event_leases', { subscriber: 'text', leased_until: 'time=0' }, { primaryKey: ['subscriber'] });
    await kit.index('event_deliveries', ['subscriber', 'event_id']);
  },
};
