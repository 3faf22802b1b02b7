import { now } from '../clock.ts';
import type { Services } from '../context.ts';
import { Coalesced } from '../processes/coalesced.ts';
import { traced } from '../tracing/operations.ts';
import { type Delivery, finish, forgetOld, type Lane, nextDue, readyDeliveries } from './deliveries.ts';
import { Finisher } from './finisher.ts';
import { releaseOthers, releasePartitions, takePartitions } from './leases.ts';

/** Lanes (a subscriber of a partition) that handle events at the same time: some more than the subscribers of pushes. */
const CONCURRENCY = 16;
const BATCH = 100;
/** How long wake-ups are batched, in milliseconds: under load one search finds the events of several changes. */
const GATHER_MS = 5;
/** How long a partition's lease is held for its next event, in milliseconds. */
const LINGER_MS = 250;
/** How often to search without a wake-up. */
const POLL_MS = 2000;
/** How often old events are deleted. */
const FORGET_SECONDS = 3600;

/** A partition whose lease this process holds. */
interface Held {
  readonly busy: Set<string>;
  /** The end of its last activity, by the monotonic clock. */
  usedAt: number;
}

/** Passes events to their subscribers. */
export interface HandingOn {
  /** Resolves to whether the handler succeeded; a failed delivery has been postponed. */
  readonly one: (delivery: Delivery) => Promise<boolean>;
  /** Handles the first of these and deletes them; resolves to their number, which may be 0. */
  readonly together: (deliveries: readonly Delivery[]) => Promise<number>;
}

/**
 * Delivers waiting events to subscribers. A subscriber gets the events of one partition one at a time, in order; subscribers do not wait
 * for each other, and partitions do not either. Several processes share the partitions.
 */
export class Dispatcher {
  readonly #services: Services;
  readonly #subscribers: ReadonlySet<string>;
  readonly #handOn: HandingOn;
  readonly #finisher: Finisher;
  readonly #held = new Map<number, Held>();
  readonly #active = new Set<Promise<void>>();
  readonly #looking = new Coalesced(() => this.#look());
  readonly #unsubscribe: () => void;
  /** The last partition of the last search for free ones, when there may be more. */
  #goOnAfter: number | undefined;
  /** Whether there may be events in partitions whose leases this process does not hold. */
  #isWoken = false;
  /** Counts the searches for due deliveries, which leave out busy lanes. */
  #searches = 0;
  /** Whether the last search found more than could be started. */
  #hasMore = false;
  /** Whether this process may hold leases that it does not know of: the database has not reported how a change of them ended. */
  #mayHoldMore = false;
  #isStopped = false;
  #timer: NodeJS.Timeout | undefined;
  /** The timer while wake-ups are batched. */
  #gathering: NodeJS.Timeout | undefined;
  #forgotAt = 0;

  /** @param subscribers their names; more may be added later */
  constructor(services: Services, subscribers: ReadonlySet<string>, handOn: HandingOn) {
    this.#services = services;
    this.#subscribers = subscribers;
    this.#handOn = handOn;
    this.#finisher = new Finisher((deliveries) => finish(services.database.db, deliveries));
    this.#unsubscribe = services.wakeUps.on('events', () => this.wake());
    services.processes.onReleased(() => this.wake());
    // Running lanes stop after their current event.
    services.processes.onLost(() => this.#held.clear());
  }

  /** There may be new events. */
  wake(): void {
    this.#isWoken = true;
    this.#request();
  }

  /** This process has committed an event of a partition. */
  expect(partition: number): void {
    if (!this.#held.has(partition)) this.#isWoken = true;
    this.#request();
  }

  /** Resolves when everything that is due has been delivered, except by other processes. */
  async settled(): Promise<void> {
    while (this.#gathering || this.#looking.isRunning || this.#active.size > 0) {
      if (this.#gathering) this.#search();
      await Promise.all([this.#looking.ended(), ...this.#active]);
    }
  }

  /** Starts no further event; resolves when the running ones have been handled, or after `patience` milliseconds. */
  async stop(patience: number): Promise<void> {
    this.#isStopped = true;
    this.#unsubscribe();
    clearTimeout(this.#timer);
    clearTimeout(this.#gathering);
    this.#gathering = undefined;
    let cut: NodeJS.Timeout | undefined;
    await Promise.race([
      this.settled(),
      new Promise((resolve) => {
        cut = setTimeout(resolve, patience).unref();
      }),
    ]);
    clearTimeout(cut);
    // The leases of busy partitions end with the process.
    await this.#release(() => true);
  }

  #request(): void {
    if (!this.#isStopped && this.#subscribers.size > 0) this.#gathering ??= setTimeout(() => this.#search(), GATHER_MS).unref();
  }

  #search(): void {
    clearTimeout(this.#gathering);
    this.#gathering = undefined;
    this.#looking.request();
  }

  async #look(): Promise<void> {
    let delay = POLL_MS;
    try {
      delay = await this.#fill();
    } catch (error) {
      this.#mayHoldMore = true;
      this.#services.log.error({ err: error }, 'events could not be handed on');
    }
    clearTimeout(this.#timer);
    if (!this.#isStopped) this.#timer = setTimeout(() => this.wake(), delay).unref();
  }

  /** Starts due deliveries, up to the limit; returns in how many milliseconds to search again. */
  async #fill(): Promise<number> {
    if (this.#mayHoldMore) {
      await releaseOthers(this.#services, [...this.#held.keys()]);
      this.#mayHoldMore = false;
    }
    const before = performance.now() - LINGER_MS;
    // The search follows the release: it finds the events of a process that wanted a lease meanwhile.
    if (await this.#release(({ usedAt }) => usedAt <= before)) this.#isWoken = true;
    const free = CONCURRENCY - this.#active.size;
    this.#hasMore = free <= 0;
    if (free <= 0 || !this.#services.processes.isCurrent) return POLL_MS;
    const subscribers = [...this.#subscribers];
    if (this.#isWoken) await this.#take(subscribers, free);
    this.#searches++;
    const due = await readyDeliveries(this.#services.database.db, [...this.#held.keys()], subscribers, this.#busyLanes(), BATCH);
    const lanes = [...Map.groupBy(due, ({ partition, subscriber }) => `${partition} ${subscriber}`).values()];
    for (const deliveries of lanes.slice(0, free)) this.#begin(deliveries);
    this.#hasMore = lanes.length > free || this.#isWoken;
    if (lanes.length > free) return POLL_MS;
    if (due.length === BATCH) this.#looking.request();
    return this.#held.size > 0 ? LINGER_MS : this.#untilNext();
  }

  async #take(subscribers: readonly string[], limit: number): Promise<void> {
    this.#isWoken = false;
    const { partitions, goOnAfter } = await takePartitions(this.#services, subscribers, limit, this.#goOnAfter);
    for (const partition of partitions) this.#held.set(partition, { busy: new Set(), usedAt: performance.now() });
    this.#goOnAfter = goOnAfter;
    if (goOnAfter !== undefined) this.#isWoken = true;
  }

  #busyLanes(): Lane[] {
    return [...this.#held].flatMap(([partition, { busy }]) => [...busy].map((subscriber) => ({ partition, subscriber })));
  }

  /** Resolves to whether any was released. */
  async #release(which: (held: Held) => boolean): Promise<boolean> {
    const partitions = [...this.#held].filter(([, held]) => held.busy.size === 0 && which(held)).map(([partition]) => partition);
    for (const partition of partitions) this.#held.delete(partition);
    await releasePartitions(this.#services, partitions);
    return partitions.length > 0;
  }

  async #untilNext(): Promise<number> {
    const { db } = this.#services.database;
    if (now() - this.#forgotAt >= FORGET_SECONDS) {
      this.#forgotAt = now();
      await forgetOld(db, [...this.#subscribers]);
    }
    const next = (await nextDue(db)) ?? Number.POSITIVE_INFINITY;
    return Math.min(POLL_MS, Math.max(1, next - now()) * 1000);
  }

  /** Delivers the events of one lane. */
  #begin(deliveries: readonly Delivery[]): void {
    const [{ partition, subscriber } = { partition: 0, subscriber: '' }] = deliveries;
    const held = this.#held.get(partition);
    if (!held) return;
    held.busy.add(subscriber);
    const searches = this.#searches;
    const run = this.#run(held, deliveries)
      .catch((error: unknown) => {
        this.#services.log.error({ subscriber, err: error }, 'a subscriber could not be handed events');
        return undefined;
      })
      .then((isWhole) => {
        held.busy.delete(subscriber);
        held.usedAt = performance.now();
        this.#active.delete(run);
        if (isWhole === false) this.wake();
        // A search meanwhile has left this lane out. After an error of the database not at once again.
        else if (isWhole && (this.#hasMore || this.#searches !== searches)) this.#request();
      });
    this.#active.add(run);
  }

  /** Resolves to whether all of them are done. */
  async #run(held: Held, deliveries: readonly Delivery[]): Promise<boolean> {
    const written: Promise<void>[] = [];
    try {
      for (let at = 0; at < deliveries.length; ) {
        const rest = deliveries.slice(at);
        const [delivery] = rest;
        const isOurs = delivery && this.#held.get(delivery.partition) === held && this.#services.processes.isCurrent;
        if (this.#isStopped || !isOurs) return false;
        const together = await this.#handOn.together(rest);
        at += together || 1;
        if (together > 0) continue;
        // The events after a failed one wait for its next attempt.
        if (!(await traced(`event ${delivery.subscriber}`, {}, () => this.#handOn.one(delivery), 'consumer'))) return false;
        const finished = this.#finisher.finish(delivery);
        finished.catch(() => {});
        written.push(finished);
      }
      return true;
    } finally {
      // Until then a search would find them again.
      await Promise.all(written);
    }
  }
}
