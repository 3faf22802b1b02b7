import { setTimeout as sleep } from 'node:timers/promises';
import { now } from '../clock.ts';
import { jsonInSlices } from '../concurrency/json-in-slices.ts';
import { afterCommit, type Context, type EventHandler, type EventService, internalContext, type Services } from '../context.ts';
import type { Db } from '../database/database.ts';
import { despiteDeletions } from '../database/deletions.ts';
import { recordNotice } from '../database/notices.ts';
import { prepared } from '../database/prepared.ts';
import { type Delivery, postpone } from './deliveries.ts';
import { Dispatcher } from './dispatcher.ts';
import type { Events, EventType } from './events.ts';
import { partitionOf } from './partition.ts';
import { handOnTogether, storedEvent } from './together.ts';

interface Subscriber {
  readonly name: string;
  readonly handle: EventHandler<EventType>;
}

type WithinHandler = (payload: Events[EventType], context: Context) => Promise<void>;

type InsertDeliveries = (db: Db, eventId: number, partition: number, dueAt: number) => Promise<unknown>;

const insertEvent = prepared((db, type: string, payload: string, created_at: number) =>
  db.insertInto('events').values({ type, payload, created_at }).returning('id'),
);

/** The first and the longest pause between two checks whether a subscriber has caught up, in milliseconds. */
const CATCH_UP_MS = 5;
const MAX_CATCH_UP_MS = 50;
/** How long subscribers may take to finish when the process stops, in milliseconds. */
const STOP_GRACE_MS = 5000;

/**
 * Events, written in the transaction of the change and delivered to subscribers afterwards, at least once each. A subscriber gets the
 * events of one repository (or, without one, of one account) one at a time, in order; it may get those of another at the same time, in any
 * process. Subscribers do not wait for each other. What a crash interrupts is delivered by another process or after the next start. An
 * event that a subscriber fails on is retried later, and the following events of its repository wait for it.
 */
export class EventLog implements EventService {
  readonly #subscribers = new Map<EventType, Subscriber[]>();
  readonly #within = new Map<EventType, WithinHandler[]>();
  /** By the names of the subscribers. */
  readonly #inserts = new Map<string, InsertDeliveries>();
  readonly #names = new Set<string>();
  #dispatcher: Dispatcher | undefined;

  on<T extends EventType>(type: T, name: string, handle: EventHandler<T>): void {
    const list = this.#subscribers.get(type) ?? [];
    list.push({ name, handle: handle as unknown as Subscriber['handle'] });
    this.#subscribers.set(type, list);
    this.#names.add(name);
  }

  within<T extends EventType>(type: T, handle: (payload: Events[T], context: Context) => Promise<void>): void {
    const list = this.#within.get(type) ?? [];
    list.push(handle as WithinHandler);
    this.#within.set(type, list);
  }

  start(services: Services): void {
    this.#dispatcher = new Dispatcher(services, this.#names, {
      one: (delivery) => this.#handOn(services, delivery),
      together: (deliveries) => handOnTogether(services, deliveries, (delivery) => this.#handlerOf(delivery)),
    });
    this.#dispatcher.wake();
  }

  async emit<T extends EventType>(context: Context, type: T, payload: Events[T]): Promise<void> {
    for (const handle of this.#within.get(type) ?? []) await handle(payload, context);
    const concerned: Subscriber[] = [];
    for (const subscriber of this.#subscribers.get(type) ?? []) {
      if ((await subscriber.handle.concerns?.(payload, context)) ?? true) concerned.push(subscriber);
    }
    if (concerned.length === 0) return;
    const createdAt = now();
    const partition = partitionOf(payload);
    const [{ id } = { id: 0 }] = await insertEvent(context.db, type, await jsonInSlices(payload), createdAt);
    await this.#inserting(concerned.map(({ name }) => name))(context.db, id, partition, createdAt);
    afterCommit(context, () => {
      this.#dispatcher?.expect(partition);
      context.wakeUps.wakeOthers('events');
    });
  }

  /** The statement that inserts a delivery for each of these subscribers. */
  #inserting(subscribers: readonly string[]): InsertDeliveries {
    const key = subscribers.join('\n');
    const known = this.#inserts.get(key);
    if (known) return known;
    const insert = prepared((db, event_id: number, partition: number, due_at: number) =>
      db.insertInto('event_deliveries').values(subscribers.map((subscriber) => ({ event_id, subscriber, partition, due_at }))),
    );
    this.#inserts.set(key, insert);
    return insert;
  }

  async settled(): Promise<void> {
    await this.#dispatcher?.settled();
  }

  async caughtUp({ db }: Pick<Context, 'db'>, subscriber: string, milliseconds: number): Promise<void> {
    const waiting = db.selectFrom('event_deliveries').select('event_id').where('subscriber', '=', subscriber).where('attempts', '=', 0);
    const last = await waiting.orderBy('event_id', 'desc').limit(1).executeTakeFirst();
    if (!last) return;
    const until = Date.now() + milliseconds;
    for (let pause = CATCH_UP_MS; Date.now() < until; pause = Math.min(MAX_CATCH_UP_MS, 2 * pause)) {
      await sleep(pause);
      if (!(await waiting.where('event_id', '<=', last.event_id).limit(1).executeTakeFirst())) return;
    }
  }

  async stop(): Promise<void> {
    await this.#dispatcher?.stop(STOP_GRACE_MS);
  }

  #handlerOf({ type, subscriber }: Delivery): Subscriber['handle'] | undefined {
    return this.#subscribers.get(type as EventType)?.find(({ name }) => name === subscriber)?.handle;
  }

  /** Resolves to whether the subscriber has handled it. */
  async #handOn(services: Services, delivery: Delivery): Promise<boolean> {
    const { db } = services.database;
    const { id, type, payload, subscriber, attempts } = delivery;
    try {
      await despiteDeletions(db, payload, async () => this.#handlerOf(delivery)?.(storedEvent(delivery), internalContext(services)));
    } catch (error) {
      const facts = { event: id, type, subscriber, attempts: attempts + 1, err: error };
      services.log.error(facts, 'a subscriber failed on an event');
      if (await postpone(db, delivery, error)) return false;
      services.log.error(facts, 'an event is given up, the subscriber never gets it');
      await recordNotice({ db, log: services.log }, { kind: 'event', subject: `${type}: ${subscriber}`, text: String(error) });
      return false;
    }
    return true;
  }
}
