import { hostname } from 'node:os';
import type { Selectable } from 'kysely';
import { now } from '../clock.ts';
import { databaseClock } from '../database/clock.ts';
import type { Database } from '../database/database.ts';
import type { ProcessesTable, ProcessRole } from '../database/tables/platform.ts';
import type { Logger } from '../log.ts';
import { LoadMeter } from './load.ts';

const HEARTBEAT_MS = 2000;
/** Milliseconds without a heartbeat after which a process is considered dead. */
const GONE_AFTER_MS = 7000;
/** Number of its own heartbeats without a gap that a process waits before it considers others dead. */
const STEADY_HEARTBEATS = 3.5;

interface Options {
  role: ProcessRole;
  /** The program's version. */
  version: string;
  log: Logger;
  /** Interval of this process's heartbeats, in milliseconds. */
  heartbeat?: number;
}

/**
 * The registry of running processes. Each start has a row with an id of its own and a heartbeat by the database's clock. Whatever a
 * process holds (leases of jobs and events, moves of refs) refers to that row by a foreign key with `on delete`: servers delete the
 * rows of processes that are gone, and with a row everything that its process held is free.
 */
export class ProcessRegistry {
  /** The id of this start. */
  readonly id: number;
  readonly #database: Database;
  readonly #options: Options;
  readonly #steadyAfter: number;
  readonly #listeners = new Set<() => void>();
  readonly #lossListeners = new Set<() => void>();
  readonly #timer: NodeJS.Timeout;
  #beat: Promise<void> = Promise.resolve();
  readonly #load = new LoadMeter();
  #isDraining = false;
  /** When heartbeats began that came without a gap, and when the last came; by the monotonic clock. */
  #steadySince = performance.now();
  #lastBeat = performance.now();

  private constructor(database: Database, options: Options, id: number) {
    this.#database = database;
    this.#options = options;
    this.id = id;
    const { heartbeat = HEARTBEAT_MS } = options;
    this.#steadyAfter = STEADY_HEARTBEATS * heartbeat;
    this.#timer = setInterval(() => this.#tick(), heartbeat).unref();
  }

  /**
   * Registers this process. On SQLite only one process serves at a time, so a server releases what earlier servers held; on
   * PostgreSQL that happens once they have missed their heartbeats.
   */
  static async open(database: Database, options: Options): Promise<ProcessRegistry> {
    const { db, dialect } = database;
    const { id } = await db
      .insertInto('processes')
      .values({ ...rowOf(options), schema: database.schema, heartbeat_at: databaseClock(dialect) })
      .returning('id')
      .executeTakeFirstOrThrow();
    if (dialect === 'sqlite' && options.role === 'server')
      await db.deleteFrom('processes').where('role', '=', 'server').where('id', '<', id).execute();
    return new ProcessRegistry(database, options, id);
  }

  /** The purpose of this process. */
  get role(): ProcessRole {
    return this.#options.role;
  }

  /** False if this process has missed its heartbeats: another one may have taken over its locks. */
  get isCurrent(): boolean {
    return performance.now() - this.#lastBeat < GONE_AFTER_MS;
  }

  /** Whether this process takes no new work, because it is about to stop. */
  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** Says that this process takes no new work. */
  startDraining(): void {
    this.#isDraining = true;
    this.#tick();
  }

  /** Every registered process that sends heartbeats, oldest first. */
  async list(): Promise<Selectable<ProcessesTable>[]> {
    const { db, dialect } = this.#database;
    const living = db.selectFrom('processes').selectAll();
    return await living
      .where('heartbeat_at', '>', (where) => where(databaseClock(dialect), '-', GONE_AFTER_MS))
      .orderBy('id')
      .execute();
  }

  /** How old the oldest heartbeat of all registered processes is, in milliseconds. */
  async oldestHeartbeat(): Promise<number> {
    const { db, dialect } = this.#database;
    const oldest = db.selectFrom('processes').select(({ fn }) => [fn.min('heartbeat_at').as('time'), databaseClock(dialect).as('now')]);
    const { time, now } = await oldest.executeTakeFirstOrThrow();
    return time === null ? 0 : Math.max(0, Number(now) - Number(time));
  }

  /** Whether a process is registered and sends heartbeats. */
  async isAlive(id: number): Promise<boolean> {
    const { db, dialect } = this.#database;
    const row = await db
      .selectFrom('processes')
      .select('id')
      .where('id', '=', id)
      .where('heartbeat_at', '>', (where) => where(databaseClock(dialect), '-', GONE_AFTER_MS))
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Calls `listener` whenever processes were found dead and their locks are released. */
  onReleased(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Says that something was released that this process itself could not finish. */
  notifyReleased(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Calls `listener` when this process was considered dead: its locks are released or taken over. */
  onLost(listener: () => void): void {
    this.#lossListeners.add(listener);
  }

  /** Deregisters this process; whatever it still holds is free. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#beat;
    await this.#database.db.deleteFrom('processes').where('id', '=', this.id).execute();
  }

  #tick(): void {
    this.#beat = this.#beat
      .then(() => this.#heartbeat())
      .then(() => this.#release())
      .catch((error: unknown) => this.#options.log.warn({ err: error }, 'this process could not tell the database that it is alive'));
  }

  async #heartbeat(): Promise<void> {
    const { db, dialect } = this.#database;
    const heartbeat = {
      heartbeat_at: databaseClock(dialect),
      is_draining: this.#isDraining,
      load: JSON.stringify(this.#load.measure()),
    };
    const { numUpdatedRows } = await db.updateTable('processes').set(heartbeat).where('id', '=', this.id).executeTakeFirst();
    if (numUpdatedRows === 0n) {
      this.#options.log.warn({ process: this.id }, 'this process was taken for gone; others have what it held');
      await db
        .insertInto('processes')
        .values({ id: this.id, ...rowOf(this.#options), schema: this.#database.schema, ...heartbeat })
        .execute();
      for (const listener of this.#lossListeners) listener();
    }
    const time = performance.now();
    if (time - this.#lastBeat > GONE_AFTER_MS) this.#steadySince = time;
    this.#lastBeat = time;
  }

  /**
   * Deletes the rows of processes that are gone. After an interruption of its own, of the database say, a process waits for as long
   * as the others may take to come back.
   */
  async #release(): Promise<void> {
    const { db, dialect } = this.#database;
    if (this.#options.role !== 'server' || performance.now() - this.#steadySince < this.#steadyAfter) return;
    const gone = await db
      .deleteFrom('processes')
      .where('id', '!=', this.id)
      .where('heartbeat_at', '<=', (where) => where(databaseClock(dialect), '-', GONE_AFTER_MS))
      .returning(['id', 'host', 'pid'])
      .execute();
    if (gone.length === 0) return;
    this.#options.log.warn({ processes: gone }, 'processes are gone without a word; what they held is free');
    this.notifyReleased();
  }
}

function rowOf({ role, version }: Options) {
  return { role, version, host: hostname(), pid: process.pid, started_at: now() };
}
