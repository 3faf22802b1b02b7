import type { SchemaMigration } from './schema-kit.ts';

/** The requests that report what happens, sent and waiting. */
export const webhooks: SchemaMigration = {
  name: '0110-webhooks',
  async up(kit) {
    await kit.table('webhooks', {
      id: 'id',
      repository_id: 'part?:repositories',
      owner_id: 'part?:users',
      is_system: 'boolean=false',
      name: 'text=',
      type: 'text',
      url: 'text',
      content_type: 'text',
      sealed_secret: 'text=',
      sealed_authorization: 'text=',
      slack: 'json?',
      events: 'json',
      branch_filter: 'text=',
      is_active: 'boolean=false',
      served_at: 'integer=0',
      leased_until: 'time=0',
      created_at: 'time',
      updated_at: 'time',
    });
    await kit.index('webhooks', ['repository_id'], { where: 'repository_id is not null' });
    await kit.index('webhooks', ['owner_id'], { where: 'owner_id is not null' });
    await kit.index('webhooks', ['id'], { where: 'repository_id is null and owner_id is null' });
    await kit.table('webhook_deliveries', {
      id: 'id',
      webhook_id: 'ref:webhooks',
      event_id: 'integer?',
      part: 'integer=0',
      uuid: 'text',
      event: 'text',
      payload: 'text',
      state: 'text=waiting',
      attempts: 'integer=0',
      due_at: 'time',
      status: 'integer?',
      answer: 'text=',
      created_at: 'time',
      finished_at: 'integer?',
    });
    await kit.index('webhook_deliveries', ['webhook_id', 'event_id', 'part'], { unique: true, where: 'event_id is not null' });
    await kit.index('webhook_deliveries', ['due_at', 'id'], { where: "state = 'waiting'" });
    await kit.index('webhook_deliveries', ['webhook_id', 'id']);
    await kit.index('webhook_deliveries', ['finished_at'], { where: 'finished_at is not null' });
  },
};
