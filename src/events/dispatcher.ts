import { now } from '../clock.ts';
import type { Services } from '../context.ts';
import { type Delivery, dueDeliveries, forgetOld, nextDue, waitingSubscribers } from './deliveries.ts';
import { addLeases, Lease, nextEnd } from './leases.ts';

/** Subscribers that are handed events at one time: as many as hear of a push. */
const CONCURRENCY = 8;
const BATCH = 100;
/** For how long a lease is kept for the next event: what other processes write for the subscriber may wait as long. */
const LINGER_MS = 250;
/** How often it is looked for what other processes have left. */
const POLL_MS = 30_000;
/** How often old events are deleted. */
const FORGET_SECONDS = 3600;

/** Brings to subscribers what waits for them: to each one thing at a time, in their order, and to none after another. */
export class Dispatcher {
  readonly #services: Services;
  readonly #subscribers: ReadonlySet<string>;
  readonly #handOn: (delivery: Delivery) => Promise<void>;
  readonly #leases = new Map<string, Lease>();
  readonly #active = new Map<string, Promise<void>>();
  #filling: Promise<void> | undefined;
  #again = false;
  #wakes = 0;
  #isResting = false;
  #stopped = false;
  #timer: NodeJS.Timeout | undefined;
  /** Subscribers whose leases have rows. */
  #added = 0;
  #forgotAt = 0;

  /** @param subscribers their names; there may be more later */
  constructor(services: Services, subscribers: ReadonlySet<string>, handOn: (delivery: Delivery) => Promise<void>) {
    this.#services = services;
    this.#subscribers = subscribers;
    this.#handOn = handOn;
  }

  /** There may be something new. */
  wake(): void {
    this.#wakes++;
    this.#look();
  }

  /** Resolves when everything that is due has been handed on, other than by other processes. */
  async settled(): Promise<void> {
    while (this.#filling || this.#active.size > 0) await Promise.all([this.#filling, ...this.#active.values()]);
  }

  /** Hands on nothing more; what is under way is finished. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.settled();
    await this.#release();
  }

  #look(): void {
    if (this.#stopped || this.#subscribers.size === 0) return;
    if (this.#filling) {
      this.#again = true;
      return;
    }
    this.#filling = this.#fill()
      .catch((error: unknown) => {
        this.#services.log.error({ err: error }, 'events could not be handed on');
        return POLL_MS;
      })
      .then((delay) => {
        this.#filling = undefined;
        this.#lookIn(delay);
        if (!this.#again) return;
        this.#again = false;
        this.#look();
      });
  }

  #lookIn(delay: number): void {
    clearTimeout(this.#timer);
    if (this.#stopped) return;
    const lingers = this.#idle(this.#leases.keys()).length > 0;
    this.#timer = setTimeout(
      () => {
        this.#isResting = true;
        this.#look();
      },
      lingers ? LINGER_MS : delay,
    ).unref();
  }

  #idle(subscribers: Iterable<string>): string[] {
    return [...subscribers].filter((name) => !this.#active.has(name));
  }

  /** Gives every free place to a subscriber for whom something is due; answers in how many milliseconds to look again. */
  async #fill(): Promise<number> {
    const { db } = this.#services.database;
    const { size } = this.#subscribers;
    if (size > this.#added) await addLeases(db, [...this.#subscribers]);
    this.#added = size;
    // Looking comes after giving back: what a process that wanted a lease meanwhile has brought is found then.
    if (this.#isResting) await this.#release();
    this.#isResting = false;
    const free = CONCURRENCY - this.#active.size;
    if (free <= 0) return POLL_MS;
    const seen = this.#wakes;
    const due = await dueDeliveries(db, await this.#held(), BATCH);
    const groups = Map.groupBy(due, ({ subscriber }) => subscriber);
    const isAll = due.length < BATCH && groups.size <= free;
    for (const deliveries of [...groups.values()].slice(0, free)) this.#begin(deliveries, isAll ? seen : undefined);
    if (!isAll) this.#again = true;
    return this.#active.size + this.#leases.size > 0 ? POLL_MS : this.#untilNext();
  }

  /** Those whom nothing is handed right now and whose lease we have, now that we have taken those of who waits. */
  async #held(): Promise<string[]> {
    const { db } = this.#services.database;
    await this.#release((lease) => !lease.isHeld);
    const others = [...this.#subscribers].filter((name) => !this.#leases.has(name));
    for (const name of await waitingSubscribers(db, others)) {
      const lease = await Lease.take(db, name);
      if (lease) this.#leases.set(name, lease);
    }
    return this.#idle(this.#leases.keys());
  }

  async #release(which: (lease: Lease) => boolean = () => true): Promise<void> {
    for (const name of this.#idle(this.#leases.keys())) {
      const lease = this.#leases.get(name);
      if (!lease || !which(lease)) continue;
      this.#leases.delete(name);
      await lease.release();
    }
  }

  async #untilNext(): Promise<number> {
    const { db } = this.#services.database;
    if (now() - this.#forgotAt >= FORGET_SECONDS) {
      this.#forgotAt = now();
      await forgetOld(db, [...this.#subscribers]);
    }
    const next = Math.min((await nextDue(db)) ?? Number.POSITIVE_INFINITY, (await nextEnd(db)) ?? Number.POSITIVE_INFINITY);
    return Math.min(POLL_MS, Math.max(1, next - now()) * 1000);
  }

  /** @param seen what had been woken for when these were read; undefined when there may be more */
  #begin(deliveries: readonly Delivery[], seen: number | undefined): void {
    const subscriber = deliveries[0]?.subscriber ?? '';
    const turn = this.#turn(subscriber, deliveries)
      .catch((error: unknown) => {
        // Not at once again.
        seen = this.#wakes;
        this.#services.log.error({ subscriber, err: error }, 'a subscriber could not be handed events');
      })
      .then(() => {
        this.#active.delete(subscriber);
        if (this.#wakes === seen) this.#lookIn(POLL_MS);
        else this.#look();
      });
    this.#active.set(subscriber, turn);
  }

  async #turn(subscriber: string, deliveries: readonly Delivery[]): Promise<void> {
    for (const delivery of deliveries) {
      if (this.#stopped || !this.#leases.get(subscriber)?.isHeld) return;
      await this.#handOn(delivery);
    }
  }
}
