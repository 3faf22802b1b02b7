import type { SchemaMigration } from './schema-kit.ts';

/** The newest deliveries of a hook keep what was sent, so that it can be looked at and sent again. */
export const webhookReplays: SchemaMigration = {
  name: '0480-webhook-replays',
  phase: 'expand',
  async up(kit) {
    await kit.addColumn('webhook_deliveries', 'is_kept', 'boolean=false');
    await kit.addColumn('webhook_deliveries', 'answer_headers', 'text=');
    await kit.index('webhook_deliveries', ['webhook_id', 'is_kept', 'id'], { where: 'is_kept' });
    await kit.index('webhook_deliveries', ['uuid']);
  },
};
