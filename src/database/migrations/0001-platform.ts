import type { SchemaMigration } from './schema-kit.ts';

export const platform: SchemaMigration = {
  name: '0001-platform',
  async up(kit) {
    await kit.table('events', { id: 'id', type: 'text', payload: 'json', created_at: 'time' });
    await kit.table(
      'event_deliveries',
      { event_id: 'ref:events', subscriber: 'text', attempts: 'integer=0', due_at: 'time', error: 'text=' },
      { primaryKey: ['event_id', 'subscriber'] },
    );
    await kit.index('event_deliveries', ['due_at']);
    await kit.table('jobs', {
      id: 'id',
      type: 'text',
      payload: 'json',
      key: 'text?',
      attempts: 'integer=0',
      due_at: 'time',
      leased_until: 'time=0',
      error: 'text=',
      created_at: 'time',
    });
    await kit.index('jobs', ['due_at', 'leased_until']);
    await kit.index('jobs', ['type', 'key'], { unique: true, where: 'key is not null and leased_until = 0' });
  },
};
