import type { SchemaMigration } from './schema-kit.ts';

/** Finds the hooks for which something waits without going through all that waits. */
export const webhookQueue: SchemaMigration = {
  name: '0112-webhook-queue',
  async up(kit) {
    await kit.addColumn('webhooks', 'due_at', 'integer?');
    await kit.index('webhooks', ['due_at'], { where: 'due_at is not null' });
    await kit.db.schema.dropIndex('webhook_deliveries_due_at_id_idx').execute();
    await kit.index('webhook_deliveries', ['webhook_id', 'due_at', 'id'], { where: "state = 'waiting'" });
  },
};
