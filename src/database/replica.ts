import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, sql } from 'kysely';
import type { Logger } from '../log.ts';
import type { Db } from './database.ts';
import type { DatabaseOptions } from './options.ts';
import { routedDb } from './routed.ts';
import type { Tables } from './tables.ts';

/** Where a request reads that may use the replica: from it; or from the primary, because the replica is behind or unavailable. */
export type ReplicaOutcome = 'replica' | 'behind' | 'away';

/** How one request reads. */
export interface ReplicaReads {
  readonly db: Db;
  /** Reads everything from the primary from now on: this request has written. */
  usePrimary(): void;
  /** Checks again whether the replica has everything that was committed until now. */
  refresh(): Promise<void>;
}

interface Options {
  /** The replica. */
  readonly url: string;
  readonly primary: Db;
  /** How long a request waits until the replica has what was committed before it, in milliseconds. */
  readonly waitMs: number;
  readonly database: DatabaseOptions;
  readonly log: Logger;
  readonly count: (outcome: ReplicaOutcome) => void;
}

/** How long connecting to the replica may take, in milliseconds: the primary is there. */
const CONNECT_TIMEOUT_MS = 1000;
/** Pause between two checks of the replica's position, in milliseconds. */
const LOOK_PAUSE_MS = 2;
/** How long nobody waits for a replica that was behind, or queries one that was unavailable, in milliseconds. */
const [BEHIND_PAUSE_MS, AWAY_PAUSE_MS] = [200, 2000];

/**
 * A read replica of PostgreSQL (streaming replication). A request reads from it only if it has replayed everything that was committed on
 * the primary when the request began. So a response never lacks a change that a caller can know of: their own writes, the content of a
 * webhook, a revoked right. This costs a small query on the primary, which concurrent requests share.
 */
export class Replica {
  readonly #options: Options;
  readonly #db: Db;
  /** The last known position of the replica in the primary's log. */
  #replayed = 0;
  #blockedUntil = 0;
  #isAway = false;
  #position: Promise<number> | undefined;
  #next: Promise<number> | undefined;

  private constructor(options: Options, db: Db) {
    this.#options = options;
    this.#db = db;
  }

  static async open(options: Options): Promise<Replica> {
    const { postgresDialect } = await import('./postgres.ts');
    const { directUrl: _, ...database } = options.database;
    const dialect = postgresDialect({ ...database, url: options.url, connectTimeout: CONNECT_TIMEOUT_MS });
    return new Replica(options, new Kysely<Tables>({ dialect }));
  }

  /** How a request that begins now reads. */
  async reads(): Promise<ReplicaReads> {
    let usesReplica = false;
    let hasWritten = false;
    const usePrimary = () => {
      usesReplica = false;
      hasWritten = true;
    };
    const refresh = async () => {
      if (hasWritten) return;
      const outcome = await this.#isCurrent();
      usesReplica = outcome === 'replica' && !hasWritten;
      this.#options.count(outcome);
    };
    await refresh();
    const db = routedDb({
      primary: this.#options.primary,
      replica: () => (usesReplica ? this.#db : undefined),
      onWrite: usePrimary,
      onFailure: (error) => {
        usesReplica = false;
        this.#setAway(error);
      },
    });
    return { db, usePrimary, refresh };
  }

  async close(): Promise<void> {
    await this.#db.destroy();
  }

  /** Whether the replica has everything that was committed until now, perhaps after a short wait. */
  async #isCurrent(): Promise<ReplicaOutcome> {
    if (performance.now() < this.#blockedUntil) return this.#isAway ? 'away' : 'behind';
    const deadline = performance.now() + this.#options.waitMs;
    const wanted = await this.#committed();
    if (this.#replayed >= wanted) return 'replica';
    for (;;) {
      const replayed = await this.#look();
      if (replayed === undefined) return 'away';
      if (replayed >= wanted) return 'replica';
      if (performance.now() > deadline) {
        this.#blockedUntil = performance.now() + BEHIND_PAUSE_MS;
        return 'behind';
      }
      await sleep(LOOK_PAUSE_MS);
    }
  }

  /** The position of the replica; undefined when it does not respond, or is not a replica any more. */
  async #look(): Promise<number | undefined> {
    try {
      const { rows } = await sql<{ position: number | null }>`
        select case when pg_is_in_recovery() then pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::bigint end as position`.execute(
        this.#db,
      );
      const position = rows[0]?.position ?? null;
      if (position === null) throw new Error('database.replicaUrl is not the URL of a replica');
      this.#setThere();
      this.#replayed = position;
      return position;
    } catch (error) {
      this.#setAway(error);
      return undefined;
    }
  }

  /**
   * The position in the primary's log of the last commit that anybody was notified of. A query that is already running began before this call,
   * so concurrent callers share the next one.
   */
  #committed(): Promise<number> {
    if (!this.#position) {
      this.#position = this.#ask();
      return this.#position;
    }
    const current = this.#position;
    this.#next ??= current
      .catch(() => {})
      .then(() => {
        this.#next = undefined;
        this.#position = this.#ask();
        return this.#position;
      });
    return this.#next;
  }

  async #ask(): Promise<number> {
    try {
      // A commit is acknowledged once it is on disk, unless the server is set not to wait for that.
      const { rows } = await sql<{ position: number }>`
        select pg_wal_lsn_diff(case when current_setting('synchronous_commit') = 'off' then pg_current_wal_insert_lsn()
          else pg_current_wal_flush_lsn() end, '0/0')::bigint as position`.execute(this.#options.primary);
      return rows[0]?.position ?? Number.POSITIVE_INFINITY;
    } finally {
      if (!this.#next) this.#position = undefined;
    }
  }

  #setThere(): void {
    if (this.#isAway) this.#options.log.info('the read replica of the database is back');
    this.#isAway = false;
  }

  #setAway(error: unknown): void {
    if (!this.#isAway) this.#options.log.warn({ err: error }, 'the read replica of the database cannot be used; the primary does its work');
    this.#isAway = true;
    this.#blockedUntil = performance.now() + AWAY_PAUSE_MS;
  }
}
