import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { DatabaseError } from '../database/errors.ts';
import { addToCounters } from './counters.ts';

/** How many expired counters each addition deletes at most. */
const REMOVED_AT_ONCE = 20;

interface Counter {
  readonly count: number;
  /** Milliseconds. */
  readonly expiresIn: number;
}

/** Counters of sign-ins by key, which all processes share. Each expires some time after its last addition. */
export class SignInCounters {
  readonly #db: Database['db'];
  readonly #dialect: Database['dialect'];
  readonly #clock: () => RawBuilder<number>;

  /** @param clock the time in milliseconds, as an SQL expression */
  constructor({ db, dialect }: Database, clock: () => RawBuilder<number>) {
    this.#db = db;
    this.#dialect = dialect;
    this.#clock = clock;
  }

  /** Those that have not expired. */
  async read(keys: readonly string[]): Promise<Map<string, Counter>> {
    const time = this.#clock();
    const rows = await this.#db
      .selectFrom('sign_in_counters')
      .select(['key', 'count', sql<number>`expires_at - ${time}`.as('left')])
      .where('key', 'in', keys)
      .where('expires_at', '>', time)
      .execute();
    return new Map(rows.map(({ key, count, left }) => [key, { count, expiresIn: Number(left) }]));
  }

  /**
   * Adds one to each.
   * @param lifetime milliseconds from now
   */
  add(keys: readonly string[], lifetime: number): Promise<Map<string, number>> {
    return addToCounters(this.#db, keys, { time: this.#clock(), lifetime, isRenewed: true });
  }

  /** {@link add}; undefined while the database is read-only: read requests may still sign in then, and earlier counts still apply. */
  async addOrNone(keys: readonly string[], lifetime: number): Promise<Map<string, number> | undefined> {
    try {
      const counts = await this.add(keys, lifetime);
      await this.#removeExpired();
      return counts;
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      return undefined;
    }
  }

  async remove(key: string): Promise<void> {
    await this.#db.deleteFrom('sign_in_counters').where('key', '=', key).execute();
  }

  async subtract(key: string, count: number): Promise<void> {
    await this.#db
      .updateTable('sign_in_counters')
      .set((row) => ({ count: sql<number>`case when ${row.ref('count')} > ${count} then ${row.ref('count')} - ${count} else 0 end` }))
      .where('key', '=', key)
      .execute();
  }

  async #removeExpired(): Promise<void> {
    const expired = this.#db.selectFrom('sign_in_counters').select('key').where('expires_at', '<=', this.#clock()).limit(REMOVED_AT_ONCE);
    const keys = this.#dialect === 'postgres' ? expired.forUpdate().skipLocked() : expired;
    await this.#db.deleteFrom('sign_in_counters').where('key', 'in', keys).execute();
  }
}
