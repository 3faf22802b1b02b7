import { sql } from 'kysely';
import type { SchemaMigration } from './schema-kit.ts';

/** Deliveries are written with the change that they tell of, and what may wait for a hook has a bound in bytes. */
export const webhookSnapshots: SchemaMigration = {
  name: '0192-webhook-snapshots',
  async up(kit) {
    const { schema } = kit.db;
    await schema.dropIndex('webhook_deliveries_webhook_id_event_id_part_key').execute();
    for (const column of ['event_id', 'part']) await schema.alterTable('webhook_deliveries').dropColumn(column).execute();
    await kit.addColumn('webhook_deliveries', 'completion', 'json?');
    await kit.addColumn('webhook_deliveries', 'size', 'integer=0');
    await schema.alterTable('webhooks').dropColumn('leased_until').execute();
    await kit.addColumn('webhooks', 'process_id', 'ref?:processes');
    await kit.addColumn('webhooks', 'waiting_bytes', 'integer=0');
    await kit.index('webhooks', ['process_id'], { where: 'process_id is not null' });
    await sql`update webhook_deliveries set size = octet_length(payload) where state = 'waiting'`.execute(kit.db);
    await sql`update webhooks set waiting_bytes = coalesce(
      (select sum(size) from webhook_deliveries where webhook_id = webhooks.id and state = 'waiting'), 0)`.execute(kit.db);
  },
};
