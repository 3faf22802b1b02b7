import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';

/** Deletes deliveries that ended longer ago than `webhooks.keepDeliveries`. */
export async function deleteOldDeliveries({ db, settings }: Context): Promise<void> {
  const before = now() - Math.ceil(settings.webhooks.keepDeliveries / 1000);
  await db.deleteFrom('webhook_deliveries').where('finished_at', '<', before).execute();
}
