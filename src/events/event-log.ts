import { setTimeout as setTimer } from 'node:timers';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterCommit, type Context, internalContext, type Services } from '../context.ts';
import { now } from '../http/schema.ts';
import type { Events, EventType } from './events.ts';

/** An event as a subscriber is handed it. */
export interface StoredEvent<T extends EventType = EventType> {
  readonly id: number;
  readonly type: T;
  readonly payload: Events[T];
  /** Seconds. */
  readonly createdAt: number;
}

interface Subscriber {
  readonly name: string;
  readonly handle: (event: StoredEvent, context: Context) => Promise<void>;
}

type Companion = (payload: Events[EventType], context: Context) => Promise<void>;

/** How often a subscriber that fails is tried again before the event is given up for it, with an error in the log. */
const MAX_ATTEMPTS = 10;
const BATCH = 100;
/** How often it is looked whether a subscriber has caught up. */
const POLL_MS = 5;
/** How long handed-on events are kept, in seconds. */
const KEEP_SECONDS = 24 * 3600;

/**
 * What has happened, written in the transaction that did it and handed to subscribers afterwards, at least once each.
 * What a crash interrupts is handed on at the next start; a subscriber that fails is tried again, by itself.
 */
export class EventLog {
  readonly #subscribers = new Map<EventType, Subscriber[]>();
  readonly #companions = new Map<EventType, Companion[]>();
  #services: Services | undefined;
  #running: Promise<void> | undefined;
  #again = false;
  #stopped = false;
  #retry: NodeJS.Timeout | undefined;

  /** Subscribes under a name that stays the same over restarts. Called before {@link start}. */
  on<T extends EventType>(type: T, name: string, handle: (event: StoredEvent<T>, context: Context) => Promise<void>): void {
    const list = this.#subscribers.get(type) ?? [];
    list.push({ name, handle: handle as unknown as Subscriber['handle'] });
    this.#subscribers.set(type, list);
  }

  /**
   * Runs `handle` inside the transaction that emits, before `emit` answers: for what has to happen together with the change.
   * By throwing it refuses the change.
   */
  within<T extends EventType>(type: T, handle: (payload: Events[T], context: Context) => Promise<void>): void {
    const list = this.#companions.get(type) ?? [];
    list.push(handle as Companion);
    this.#companions.set(type, list);
  }

  /** Begins to hand on events, those left from before first. */
  start(services: Services): void {
    this.#services = services;
    this.#wake();
  }

  /** Writes an event as part of the context's transaction. */
  async emit<T extends EventType>(context: Context, type: T, payload: Events[T]): Promise<void> {
    for (const handle of this.#companions.get(type) ?? []) await handle(payload, context);
    const subscribers = this.#subscribers.get(type);
    if (!subscribers) return;
    const createdAt = now();
    const { id } = await context.db
      .insertInto('events')
      .values({ type, payload: JSON.stringify(payload), created_at: createdAt })
      .returning('id')
      .executeTakeFirstOrThrow();
    await context.db
      .insertInto('event_deliveries')
      .values(subscribers.map(({ name }) => ({ event_id: id, subscriber: name, due_at: createdAt })))
      .execute();
    afterCommit(context, () => this.#wake());
  }

  /** Resolves when everything that is due has been handed on. */
  async settled(): Promise<void> {
    while (this.#running) await this.#running;
  }

  /**
   * Resolves when a subscriber has been handed all that is waiting for it now, so that who reads what it writes finds what they have
   * done before; after so many milliseconds at the latest. What failed and is to be tried again is not waited for.
   */
  async caughtUp({ db }: Pick<Context, 'db'>, subscriber: string, milliseconds: number): Promise<void> {
    const waiting = db.selectFrom('event_deliveries').select('event_id').where('subscriber', '=', subscriber).where('attempts', '=', 0);
    const last = await waiting.orderBy('event_id', 'desc').limit(1).executeTakeFirst();
    if (!last) return;
    for (const until = Date.now() + milliseconds; Date.now() < until; ) {
      await setTimeout(POLL_MS);
      if (!(await waiting.where('event_id', '<=', last.event_id).limit(1).executeTakeFirst())) return;
    }
  }

  /** Hands on nothing more; what is under way is finished. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#retry);
    await this.settled();
  }

  #wake(): void {
    if (this.#stopped || !this.#services) return;
    if (this.#running) {
      this.#again = true;
      return;
    }
    const services = this.#services;
    this.#running = this.#drain(services)
      .catch((error: unknown) => services.log.error({ err: error }, 'events could not be handed on'))
      .finally(() => {
        this.#running = undefined;
        if (this.#again) {
          this.#again = false;
          this.#wake();
        }
      });
  }

  async #drain(services: Services): Promise<void> {
    const { db } = services.database;
    for (;;) {
      const due = await db
        .selectFrom('event_deliveries')
        .innerJoin('events', 'events.id', 'event_deliveries.event_id')
        .select(['events.id', 'events.type', 'events.payload', 'events.created_at', 'subscriber', 'attempts'])
        .where('due_at', '<=', now())
        .orderBy('events.id')
        .limit(BATCH)
        .execute();
      if (due.length === 0 || this.#stopped) break;
      for (const row of due) await this.#handOn(services, row);
    }
    await db
      .deleteFrom('events')
      .where('created_at', '<', now() - KEEP_SECONDS)
      .where((where) =>
        where.not(where.exists(where.selectFrom('event_deliveries').select(sql`1`.as('one')).whereRef('event_id', '=', 'events.id'))),
      )
      .execute();
    const { next } = await db
      .selectFrom('event_deliveries')
      .select((select) => select.fn.min('due_at').as('next'))
      .executeTakeFirstOrThrow();
    clearTimeout(this.#retry);
    if (next !== null && !this.#stopped) this.#retry = setTimer(() => this.#wake(), Math.max(1, next - now()) * 1000).unref();
  }

  async #handOn(
    services: Services,
    row: { id: number; type: string; payload: unknown; created_at: number; subscriber: string; attempts: number },
  ): Promise<void> {
    const { db } = services.database;
    const subscriber = this.#subscribers.get(row.type as EventType)?.find(({ name }) => name === row.subscriber);
    try {
      const event = { id: row.id, type: row.type as EventType, payload: row.payload as Events[EventType], createdAt: row.created_at };
      await subscriber?.handle(event, internalContext(services));
    } catch (error) {
      const attempts = row.attempts + 1;
      services.log.error(
        { event: row.id, type: row.type, subscriber: row.subscriber, attempts, err: error },
        'a subscriber failed on an event',
      );
      if (attempts < MAX_ATTEMPTS) {
        await db
          .updateTable('event_deliveries')
          .set({ attempts, due_at: now() + 2 ** attempts, error: String(error).slice(0, 2000) })
          .where('event_id', '=', row.id)
          .where('subscriber', '=', row.subscriber)
          .execute();
        return;
      }
    }
    await db.deleteFrom('event_deliveries').where('event_id', '=', row.id).where('subscriber', '=', row.subscriber).execute();
  }
}
