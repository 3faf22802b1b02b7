import { sql } from 'kysely';
import { now } from '../clock.ts';
import { afterCommit, type Context, internalContext, type Services } from '../context.ts';
import { isDeadlock } from '../database/database.ts';
import type { Jobs, JobType } from './jobs.ts';

type Worker = (payload: Jobs[JobType], context: Context) => Promise<void>;

interface JobRow {
  id: number;
  type: string;
  payload: unknown;
  attempts: number;
}

/** Durable work with a queue of its own, which begins and ends with that of the jobs. */
export interface Companion {
  start(services: Services): void;
  /** There is something new to do. */
  wake(): void;
  /** Resolves when nothing is due or under way. */
  settled(): Promise<void>;
  /** Begins nothing more; what is under way is finished. */
  stop(): Promise<void>;
}

const MAX_ATTEMPTS = 8;
/** How long a worker may hold a job before another process takes it over, in seconds. */
const LEASE_SECONDS = 900;
const CONCURRENCY = 2;
const POLL_MS = 30_000;

/**
 * Durable background work: written with the change that wants it, done after the commit, tried again with growing
 * delays, taken over by the next start or another process when this one dies.
 */
export class JobQueue {
  readonly #workers = new Map<string, Worker>();
  readonly #companions = new Map<string, Companion>();
  #services: Services | undefined;
  #active = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  /** Says who does the jobs of a type. Called before {@link start}. */
  work<T extends JobType>(type: T, worker: (payload: Jobs[T], context: Context) => Promise<void>): void {
    this.#workers.set(type, worker as unknown as Worker);
  }

  /** Adds a queue for work that may take long and must not hold up the jobs. Called before {@link start}. */
  accompany(name: string, companion: Companion): void {
    this.#companions.set(name, companion);
  }

  /** Wakes the companion of this name once the context's transaction has been committed. */
  wake(context: Context, name: string): void {
    afterCommit(context, () => this.#companions.get(name)?.wake());
  }

  /** Begins to work. */
  start(services: Services): void {
    this.#services = services;
    for (const companion of this.#companions.values()) companion.start(services);
    this.#timer = setInterval(() => this.#wake(), POLL_MS).unref();
    this.#wake();
  }

  /**
   * Queues a job as part of the context's transaction.
   * @param options.key a job of this type and key that waits already stands for this one too
   * @param options.delay seconds to wait first
   */
  async add<T extends JobType>(context: Context, type: T, payload: Jobs[T], options: { key?: string; delay?: number } = {}): Promise<void> {
    await context.db
      .insertInto('jobs')
      .values({ type, payload: JSON.stringify(payload), key: options.key ?? null, due_at: now() + (options.delay ?? 0), created_at: now() })
      .onConflict((conflict) =>
        conflict
          .columns(['type', 'key'])
          .where('key', 'is not', null)
          .where('leased_until', '=', sql.lit(0))
          // Written, the one that waits is not taken before this transaction has ended: done earlier, it would not see what this changes.
          .doUpdateSet((row) => ({ due_at: row.ref('jobs.due_at') })),
      )
      .execute();
    if (options.delay) setTimeout(() => this.#wake(), options.delay * 1000 + 500).unref();
    else afterCommit(context, () => this.#wake());
  }

  /** Resolves when no job is due or under way. */
  async settled(): Promise<void> {
    this.#wake();
    while (this.#active.size > 0) await Promise.all(this.#active);
    for (const companion of this.#companions.values()) await companion.settled();
  }

  /** Takes no more jobs; those under way are finished. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await Promise.all([...this.#active, ...[...this.#companions.values()].map((companion) => companion.stop())]);
  }

  #wake(): void {
    const services = this.#services;
    if (!services || this.#stopped || this.#active.size >= CONCURRENCY) return;
    const running = this.#drain(services)
      .catch((error: unknown) => services.log.error({ err: error }, 'jobs could not be worked on'))
      .finally(() => this.#active.delete(running));
    this.#active.add(running);
  }

  async #drain(services: Services): Promise<void> {
    while (!this.#stopped) {
      const job = await this.#take(services);
      if (!job) return;
      if (this.#active.size < CONCURRENCY) this.#wake();
      await this.#run(services, job);
    }
  }

  async #take({ database: { db } }: Services): Promise<JobRow | undefined> {
    const time = now();
    const candidate = await db
      .selectFrom('jobs')
      .select('id')
      .where('due_at', '<=', time)
      .where('leased_until', '<=', time)
      .orderBy('due_at')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
    if (!candidate) return undefined;
    const taken = await db
      .updateTable('jobs')
      .set({ leased_until: time + LEASE_SECONDS })
      .where('id', '=', candidate.id)
      // Somebody may have failed on it meanwhile: then it is due later.
      .where('due_at', '<=', time)
      .where('leased_until', '<=', time)
      .returning(['id', 'type', 'payload', 'attempts'])
      .executeTakeFirst();
    return taken ?? { id: 0, type: '', payload: null, attempts: 0 };
  }

  async #run(services: Services, job: JobRow): Promise<void> {
    // Another process was quicker: look for the next one.
    if (job.id === 0) return;
    const { db } = services.database;
    try {
      const worker = this.#workers.get(job.type);
      if (!worker) throw new Error(`nobody does jobs of the type ${job.type}`);
      await worker(job.payload as Jobs[JobType], internalContext(services));
      await db.deleteFrom('jobs').where('id', '=', job.id).execute();
    } catch (error) {
      const attempts = job.attempts + 1;
      services.log.error({ job: job.id, type: job.type, attempts, err: error }, 'a job failed');
      if (attempts >= MAX_ATTEMPTS) await db.deleteFrom('jobs').where('id', '=', job.id).execute();
      else await this.#postpone(services, job, attempts, error);
    }
  }

  /**
   * A job that was queued again meanwhile under the same key makes this one needless. What the database undid for another's sake is
   * tried again at once.
   */
  async #postpone({ database: { db } }: Services, job: JobRow, attempts: number, error: unknown): Promise<void> {
    const due = now() + (isDeadlock(error) ? 0 : Math.min(3600, 5 * 2 ** attempts));
    await db
      .updateTable('jobs')
      .set({ attempts, due_at: due, leased_until: 0, key: null, error: String(error).slice(0, 2000) })
      .where('id', '=', job.id)
      .execute();
  }
}
