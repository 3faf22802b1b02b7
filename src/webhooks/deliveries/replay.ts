import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { now } from '../../clock.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { Webhook, WebhookDelivery } from '../../database/tables/webhooks.ts';
import type { Tables } from '../../database/tables.ts';
import { conflict, notFound, unprocessable } from '../../http/errors.ts';
import { isFullFor, noteWaiting } from './enqueue.ts';

/** Finished deliveries of a hook that keep their payload. */
const MAX_KEPT = 30;
/** Length limit of a stored payload in characters. */
const MAX_KEPT_PAYLOAD = 512 * 1024;

// SQLite may use the partial index because of the first condition, and searches in it by the second: else it reads all deliveries of the hook.
const isKept = sql<boolean>`is_kept and is_kept = true`;

/** Whether the payload is retained after the delivery has finished. */
export function mayKeep({ payload, completion }: WebhookDelivery): boolean {
  return payload !== '' && payload.length <= MAX_KEPT_PAYLOAD && completion === null;
}

/** Takes the payloads of a hook's deliveries away but for the newest. */
export async function forgetOldPayloads(db: Kysely<Tables>, hookId: number): Promise<void> {
  const oldest = await newestTooOld(db, hookId).executeTakeFirst();
  if (!oldest) return;
  await db
    .updateTable('webhook_deliveries')
    .set({ payload: '', is_kept: false })
    .where('webhook_id', '=', hookId)
    .where(isKept)
    .where('id', '<=', oldest.id)
    .execute();
}

/** The newest delivery of a hook that keeps its payload though enough newer ones do. */
export function newestTooOld(db: Kysely<Tables>, hookId: number) {
  const kept = db.selectFrom('webhook_deliveries').where('webhook_id', '=', hookId).where(isKept);
  return kept.select('id').orderBy('id', 'desc').offset(MAX_KEPT).limit(1);
}

/**
 * A delivery of a hook.
 * @throws HttpError 404
 */
export async function getDelivery({ db }: Pick<Context, 'db'>, { id }: Webhook, uuid: string): Promise<WebhookDelivery> {
  const found = db.selectFrom('webhook_deliveries').selectAll().where('webhook_id', '=', id).where('uuid', '=', uuid);
  const delivery = await found.executeTakeFirst();
  if (!delivery) throw notFound();
  return delivery;
}

/**
 * Sends what a finished delivery sent again, as a delivery of its own, to where the hook leads now.
 * @throws HttpError 404, 409 for one that has not finished, 422 when what it sent is not kept or too much waits for the hook
 */
export async function replayDelivery(context: Context, hook: Webhook, uuid: string): Promise<void> {
  const { event, payload, state, is_kept: isKept } = await getDelivery(context, hook, uuid);
  if (state === 'waiting') throw conflict('the delivery has not finished');
  if (!isKept) throw unprocessable('the payload of this delivery is no longer stored');
  const size = Buffer.byteLength(payload);
  if (isFullFor(context, hook, size)) throw unprocessable('too many deliveries are waiting for this webhook');
  const time = now();
  await inTransaction(context, async (context) => {
    const row = { webhook_id: hook.id, uuid: randomUUID(), event, payload, size, due_at: time, created_at: time };
    await context.db.insertInto('webhook_deliveries').values(row).execute();
    await noteWaiting(context, [hook.id], { size, time });
  });
}
