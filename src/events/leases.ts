import { now } from '../clock.ts';
import type { Db } from '../database/database.ts';

/** For how long a process that is gone holds up a subscriber, in seconds. */
const LEASE_SECONDS = 30;
const RENEWAL_MS = (LEASE_SECONDS * 1000) / 3;

/**
 * The right to hand events to a subscriber. One process has it at a time: so they come in order, and no two hand on the same.
 * It renews itself until it is released; with its process it ends.
 */
export class Lease {
  readonly subscriber: string;
  readonly #db: Db;
  readonly #timer: NodeJS.Timeout;
  #until: number;
  #renewal: Promise<void> = Promise.resolve();

  private constructor(db: Db, subscriber: string, until: number) {
    this.#db = db;
    this.subscriber = subscriber;
    this.#until = until;
    this.#timer = setInterval(() => this.#renew(), RENEWAL_MS).unref();
  }

  /** Takes the lease of a subscriber, unless somebody has it; see {@link addLeases}. */
  static async take(db: Db, subscriber: string): Promise<Lease | undefined> {
    const time = now();
    const until = time + LEASE_SECONDS;
    const taken = await db
      .updateTable('event_leases')
      .set({ leased_until: until })
      .where('subscriber', '=', subscriber)
      .where('leased_until', '<=', time)
      .returning('subscriber')
      .executeTakeFirst();
    return taken && new Lease(db, subscriber, until);
  }

  /** No longer when it could not be renewed in time: another process may have it. */
  get isHeld(): boolean {
    return now() < this.#until;
  }

  /** Gives it back. */
  async release(): Promise<void> {
    clearInterval(this.#timer);
    await this.#renewal;
    await this.#set(0);
  }

  #renew(): void {
    // What cannot be renewed ends.
    this.#renewal = this.#renewal.then(() => this.#set(now() + LEASE_SECONDS)).catch(() => {});
  }

  /** The end is its mark as well: whoever takes it over sets a later one. */
  async #set(until: number): Promise<void> {
    const { numUpdatedRows } = await this.#db
      .updateTable('event_leases')
      .set({ leased_until: until })
      .where('subscriber', '=', this.subscriber)
      .where('leased_until', '=', this.#until)
      .executeTakeFirst();
    if (numUpdatedRows > 0n) this.#until = until;
  }
}

/** Makes the rows of subscribers, where there are none yet. */
export async function addLeases(db: Db, subscribers: readonly string[]): Promise<void> {
  await db
    .insertInto('event_leases')
    .values(subscribers.map((subscriber) => ({ subscriber })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** When the first lease ends of those that somebody has, in seconds. */
export async function nextEnd(db: Db): Promise<number | null> {
  const { next } = await db
    .selectFrom('event_leases')
    .select((select) => select.fn.min('leased_until').as('next'))
    .where('leased_until', '>', now())
    .executeTakeFirstOrThrow();
  return next;
}
