import { now } from '../../clock.ts';
import type { Context, Services } from '../../context.ts';
import { internalContext } from '../../context.ts';
import type { Webhook, WebhookDelivery } from '../../database/tables/webhooks.ts';
import type { WorkQueue } from '../../jobs/job-queue.ts';
import { completedPayload } from './completion.ts';
import { MAX_PAYLOAD } from './enqueue.ts';
import { forgetOldPayloads, mayKeep } from './replay.ts';
import { failed, type Outcome, send } from './send.ts';

/** Under which name the job queue knows it. */
export const QUEUE_NAME = 'webhooks';

const POLL_MS = 2000;
/** Time that deliveries have to finish when the process stops, before they are aborted. */
const STOP_GRACE_MS = 5000;
/** Seconds before the second attempt; each further one waits four times as long. */
const FIRST_DELAY = 10;

/**
 * Sends what waits: one delivery of a hook at a time, in their order, and of those hooks for which something waits, next the one that
 * has waited longest. So a receiver that is slow holds up nobody but itself.
 */
export class DeliveryQueue implements WorkQueue {
  #services: Services | undefined;
  readonly #active = new Map<number, Promise<void>>();
  #filling: Promise<void> | undefined;
  #again = false;
  /** Aborts the deliveries that are under way. */
  readonly #stop = new AbortController();
  #stopped = false;
  /** Whether hooks may be this process's that it knows nothing of: the database has not said how a change of theirs ended. */
  #mayHoldMore = false;
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
      .catch((error: unknown) => {
        this.#mayHoldMore = true;
        services.log.error({ err: error }, 'webhooks could not be delivered');
      })
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
    const cut = setTimeout(() => this.#stop.abort(), STOP_GRACE_MS).unref();
    await Promise.all([this.#filling, ...this.#active.values()]);
    clearTimeout(cut);
  }

  /** Starts work on hooks with due deliveries, up to the limit. */
  async #fill(services: Services): Promise<void> {
    if (!services.settings.webhooks.enabled) return;
    if (this.#mayHoldMore) {
      await releaseForgotten(services, [...this.#active.keys()]);
      this.#mayHoldMore = false;
    }
    const free = services.settings.webhooks.concurrent - this.#active.size;
    if (free <= 0) return;
    for (const hook of await this.#take(services, free)) {
      const turn = this.#turn(services, hook)
        .catch((error: unknown) => {
          this.#mayHoldMore = true;
          services.log.error({ hook: hook.id, err: error }, 'a webhook could not be delivered');
        })
        .finally(() => {
          this.#active.delete(hook.id);
          this.wake();
        });
      this.#active.set(hook.id, turn);
    }
    await this.#wakeWhenDue(services);
  }

  async #take({ database: { db }, processes }: Services, free: number): Promise<Webhook[]> {
    const time = now();
    const ids = await db
      .selectFrom('webhooks')
      .select('id')
      .where('due_at', '<=', time)
      .where('process_id', 'is', null)
      .orderBy('served_at')
      .orderBy('id')
      .limit(free)
      .execute();
    const taken: Webhook[] = [];
    for (const { id } of ids) {
      if (this.#active.has(id)) continue;
      const hook = await db
        .updateTable('webhooks')
        .set({ process_id: processes.id, served_at: Date.now() })
        .where('id', '=', id)
        .where('due_at', '<=', time)
        .where('process_id', 'is', null)
        .returningAll()
        .executeTakeFirst();
      if (hook) taken.push(hook);
    }
    return taken;
  }

  /** Waits for the next retry. */
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
    const delivery = await firstDue(context, hook);
    await release(context, hook, delivery && (await this.#deliver(context, hook, delivery)));
  }

  /** Undefined when the process stops before it has ended. */
  async #deliver(context: Context, hook: Webhook, delivery: WebhookDelivery): Promise<Attempt | undefined> {
    const { maxWaitingTime } = context.settings.webhooks;
    const isLate = delivery.created_at < now() - Math.ceil(maxWaitingTime / 1000);
    if (isLate) return { delivery, outcome: failed('not sent: it has waited for too long') };
    try {
      const whole = await completed(context, hook, delivery);
      const outcome = whole ? await send(context, hook, whole, this.#stop.signal) : NOTHING_TO_SEND;
      return this.#stop.signal.aborted ? undefined : { delivery: whole ?? delivery, outcome };
    } catch (error) {
      context.log.error({ hook: hook.id, delivery: delivery.uuid, err: error }, 'the payload of a webhook could not be completed');
      return { delivery, outcome: { ...failed('the payload could not be completed'), mayRetry: true } };
    }
  }
}

/** Releases the hooks claimed by this process, except those in work. Sent deliveries may be sent again. */
async function releaseForgotten({ database: { db }, processes }: Services, active: readonly number[]): Promise<void> {
  await db
    .updateTable('webhooks')
    .set({ process_id: null })
    .where('process_id', '=', processes.id)
    .$if(active.length > 0, (query) => query.where('id', 'not in', active))
    .execute();
}

/** An attempt that has ended. */
interface Attempt {
  /** As it was sent, with its complete payload. */
  readonly delivery: WebhookDelivery;
  readonly outcome: Outcome;
}

/** There is nothing to send, such as a push without commits in a chat. */
const NOTHING_TO_SEND: Outcome = { isDelivered: true, mayRetry: false, status: null, response: 'there was nothing to send' };

/** The delivery with its complete payload, which is stored for further attempts; undefined if there is nothing to send. */
async function completed(context: Context, hook: Webhook, delivery: WebhookDelivery): Promise<WebhookDelivery | undefined> {
  if (delivery.completion === null) return delivery;
  const payload = await completedPayload(context, hook, delivery);
  if (payload === undefined) return undefined;
  if (payload.length > MAX_PAYLOAD) throw new Error(`the payload has ${payload.length} characters`);
  await context.db.updateTable('webhook_deliveries').set({ payload, completion: null }).where('id', '=', delivery.id).execute();
  return { ...delivery, payload, completion: null };
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

/** The columns that remember how an attempt ended, and whether there will be another. */
function afterAttempt({ log, settings }: Context, hook: Webhook, { delivery, outcome }: Attempt) {
  const attempts = delivery.attempts + 1;
  const { isDelivered, mayRetry, status, response } = outcome;
  const again = mayRetry && attempts < settings.webhooks.maxAttempts;
  if (!isDelivered) log.info({ hook: hook.id, delivery: delivery.uuid, attempts, again, status, response }, 'a webhook was not delivered');
  const columns = { attempts, status, answer: response, answer_headers: outcome.headers ?? '' };
  if (again) return { ...columns, due_at: now() + FIRST_DELAY * 4 ** (attempts - 1) };
  return {
    ...columns,
    state: isDelivered ? ('delivered' as const) : ('failed' as const),
    ...(mayKeep(delivery) ? { is_kept: true } : { payload: '' }),
    completion: null,
    finished_at: now(),
  };
}

/**
 * Gives the hook back, and remembers how the delivery ended. The first statement holds the hook's row, so that no delivery that is added
 * meanwhile is overlooked.
 */
async function release(context: Context, hook: Webhook, attempt: Attempt | undefined): Promise<void> {
  const { id } = hook;
  const columns = attempt && afterAttempt(context, hook, attempt);
  const freed = columns && 'state' in columns ? attempt.delivery.size : 0;
  await context.db.transaction().execute(async (db) => {
    await db
      .updateTable('webhooks')
      .set((row) => ({ process_id: null, waiting_bytes: row('waiting_bytes', '-', freed) }))
      .where('id', '=', id)
      .execute();
    if (columns) await db.updateTable('webhook_deliveries').set(columns).where('id', '=', attempt.delivery.id).execute();
    if (columns && 'is_kept' in columns) await forgetOldPayloads(db, id);
    const { next } = await db
      .selectFrom('webhook_deliveries')
      .select((select) => select.fn.min('due_at').as('next'))
      .where('webhook_id', '=', id)
      .where('state', '=', 'waiting')
      .executeTakeFirstOrThrow();
    await db.updateTable('webhooks').set({ due_at: next }).where('id', '=', id).execute();
  });
}
