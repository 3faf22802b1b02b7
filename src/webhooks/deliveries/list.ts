import type { Context } from '../../context.ts';
import type { WebhookDelivery } from '../../database/tables/webhooks.ts';

/** The stored data of a delivery. */
export type RememberedDelivery = Pick<
  WebhookDelivery,
  'uuid' | 'event' | 'state' | 'status' | 'attempts' | 'answer' | 'created_at' | 'is_kept'
>;

/** The newest deliveries of a hook. */
export function listDeliveries({ db }: Pick<Context, 'db'>, hookId: number, limit: number): Promise<RememberedDelivery[]> {
  return db
    .selectFrom('webhook_deliveries')
    .select(['uuid', 'event', 'state', 'status', 'attempts', 'answer', 'created_at', 'is_kept'])
    .where('webhook_id', '=', hookId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}
