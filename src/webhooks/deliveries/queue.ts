import { now } from '../../clock.ts';
import type { Context, Services } from '../../context.ts';
import { internalContext } from '../../context.ts';
import type { Webhook, WebhookDelivery } from '../../database/tables/webhooks.ts';
import type { Companion } from '../../jobs/job-queue.ts';
import { type Outcome, send } from './send.ts';

/** Under which name the job queue knows it. */
export const QUEUE_NAME = 'webhooks';

/** What a hook may take beyond the time of one delivery before another process takes it over, in seconds. */
const LEASE_SPARE = 30;
const POLL_MS = 30_000;
/** Seconds before the second attempt; each further one waits four times as long. */
const FIRST_DELAY = 10;

/**
 * Sends what waits: one delivery of a hook at a time, in their order, and of those hooks for which something waits, next the one that
 * has waited longest. So a receiver that is slow holds up nobody but itself.
 */
export class DeliveryQueue implements Companion {
  #services: Services | undefined;
  readonly #active = new Map<number, Promise<void>>();
  #filling: Promise<void> | undefined;
  #again = false;
  #stopped = false;
  #unsubscribe = () => {};
  #poll: NodeJS.Timeout | undefined;
  #next: NodeJS.Timeout | undefined;

  start(services: Services): void {
    this.#services = services;
    this.#unsubscribe = services.wakeUps.on('webhooks', () => this.wake());
    this.#poll = setInterval(() => this.wake(), POLL_MS).unref();
    this.wake();
  }

  wake(): void {
    const services = this.#services;
    if (!services || this.#stopped) return;
    if (this.#filling) {
      this.#again = true;
      return;
    }
    this.#filling = this.#fill(services)
      .catch((error: unknown) => services.log.error({ err: error }, 'webhooks could not be delivered'))
      .finally(() => {
        this.#filling = undefined;
        if (!this.#again) return;
        this.#again = false;
        this.wake();
      });
  }

  async settled(): Promise<void> {
    this.wake();
    while (this.#filling || this.#active.size > 0) await Promise.all([this.#filling, ...this.#active.values()]);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#unsubscribe();
    clearInterval(this.#poll);
    clearTimeout(this.#next);
    await Promise.all([this.#filling, ...this.#active.values()]);
  }

  /** Gives every free place to a hook for which something is due. */
  async #fill(services: Services): Promise<void> {
    if (!services.settings.webhooks.enabled) return;
    const free = services.settings.webhooks.concurrent - this.#active.size;
    if (free <= 0) return;
    for (const hook of await this.#take(services, free)) {
      const turn = this.#turn(services, hook)
        .catch((error: unknown) => services.log.error({ hook: hook.id, err: error }, 'a webhook could not be delivered'))
        .finally(() => {
          this.#active.delete(hook.id);
          this.wake();
        });
      this.#active.set(hook.id, turn);
    }
    await this.#wakeWhenDue(services);
  }

  async #take({ database: { db }, settings }: Services, free: number): Promise<Webhook[]> {
    const time = now();
    const ids = await db
      .selectFrom('webhooks')
      .select('id')
      .where('due_at', '<=', time)
      .where('leased_until', '<=', time)
      .orderBy('served_at')
      .orderBy('id')
      .limit(free)
      .execute();
    const taken: Webhook[] = [];
    for (const { id } of ids) {
      if (this.#active.has(id)) continue;
      const hook = await db
        .updateTable('webhooks')
        .set({ leased_until: time + Math.ceil(settings.webhooks.timeout / 1000) + LEASE_SPARE, served_at: Date.now() })
        .where('id', '=', id)
        .where('due_at', '<=', time)
        .where('leased_until', '<=', time)
        .returningAll()
        .executeTakeFirst();
      if (hook) taken.push(hook);
    }
    return taken;
  }

  /** What is to be tried again later is waited for. */
  async #wakeWhenDue({ database: { db } }: Services): Promise<void> {
    const { next } = await db
      .selectFrom('webhooks')
      .select((select) => select.fn.min('due_at').as('next'))
      .where('due_at', '>', now())
      .executeTakeFirstOrThrow();
    clearTimeout(this.#next);
    if (next === null || this.#stopped) return;
    this.#next = setTimeout(() => this.wake(), Math.min(POLL_MS, (next - now()) * 1000)).unref();
  }

  async #turn(services: Services, hook: Webhook): Promise<void> {
    const context = internalContext(services);
    try {
      const delivery = await firstDue(context, hook);
      if (delivery) await record(context, hook, delivery, await send(context, hook, delivery));
    } finally {
      await release(context, hook);
    }
  }
}

function firstDue({ db }: Context, hook: Webhook): Promise<WebhookDelivery | undefined> {
  return db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('webhook_id', '=', hook.id)
    .where('state', '=', 'waiting')
    .where('due_at', '<=', now())
    .orderBy('due_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
}

async function record({ db, log, settings }: Context, hook: Webhook, delivery: WebhookDelivery, outcome: Outcome): Promise<void> {
  const attempts = delivery.attempts + 1;
  const { isDelivered, mayRetry, status, answer } = outcome;
  const again = mayRetry && attempts < settings.webhooks.maxAttempts;
  if (!isDelivered) log.info({ hook: hook.id, delivery: delivery.uuid, attempts, again, status, answer }, 'a webhook was not delivered');
  await db
    .updateTable('webhook_deliveries')
    .set({
      attempts,
      status,
      answer,
      ...(again
        ? { due_at: now() + FIRST_DELAY * 4 ** (attempts - 1) }
        : { state: isDelivered ? 'delivered' : 'failed', payload: '', finished_at: now() }),
    })
    .where('id', '=', delivery.id)
    .execute();
}

/** Gives the hook back. The first statement holds its row, so that news which come meanwhile are not overlooked. */
async function release({ db }: Context, { id }: Webhook): Promise<void> {
  await db.transaction().execute(async (db) => {
    await db.updateTable('webhooks').set({ leased_until: 0 }).where('id', '=', id).execute();
    const { next } = await db
      .selectFrom('webhook_deliveries')
      .select((select) => select.fn.min('due_at').as('next'))
      .where('webhook_id', '=', id)
      .where('state', '=', 'waiting')
      .executeTakeFirstOrThrow();
    await db.updateTable('webhooks').set({ due_at: next }).where('id', '=', id).execute();
  });
}
