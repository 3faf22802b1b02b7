import { setTimeout as sleep } from 'node:timers/promises';
import { now } from '../clock.ts';
import { afterCommit, type Context, internalContext, type JobService, type Services } from '../context.ts';
import { despiteDeletions } from '../database/deletions.ts';
import { recordNotice } from '../database/notices.ts';
import { Coalesced } from '../processes/coalesced.ts';
import { traced } from '../tracing/operations.ts';
import { ABANDON_MS, runBounded, StoppedError } from './bounded.ts';
import { cancelJob, findJob, findUnwanted } from './control.ts';
import type { JobRun, JobWork, WorkOptions } from './job-work.ts';
import type { JobStatus, Jobs, JobType } from './jobs.ts';
import { ProgressWriter } from './progress.ts';
import { QUEUE_NAMES, QUEUES, type QueueName } from './queues.ts';
import { assignQueues, dueQueues, giveBackJob, insertJob, MAX_ATTEMPTS, postponeJob, removeJob, type TakenJob } from './rows.ts';
import { RunningJobs } from './running-jobs.ts';

type Work = (payload: unknown, context: Context, run: JobRun) => Promise<void>;

interface JobKind {
  work: Work;
  queue: QueueName;
  /** Seconds. */
  deadline: number;
}

/** Durable work with a queue of its own, which starts and stops with the jobs. */
export interface WorkQueue {
  start(services: Services): void;
  /** There is new work. */
  wake(): void;
  /** Resolves when nothing is due or running. */
  settled(): Promise<void>;
  /** Starts nothing more; resolves soon, whatever is running. */
  stop(): Promise<void>;
}

const DEFAULT_DEADLINE = 600;
/** How often to search for due jobs without a wake-up. */
const POLL_MS = 2000;
const STOP_GRACE_MS = 5000;

/** A job was aborted because somebody cancelled it. */
export class JobCancelledError extends Error {
  override readonly name = 'JobCancelledError';
}

/**
 * Durable background work: enqueued in the transaction of the change, run after the commit by any of the processes, retried with growing
 * delays. A job belongs to the process that runs it; when that dies, another one, or the next start, runs it again.
 */
export class JobQueue implements JobService {
  readonly #kinds = new Map<string, JobKind>();
  readonly #queues = new Map<string, WorkQueue>();
  readonly #active = new Map<QueueName, Set<Promise<void>>>(QUEUE_NAMES.map((queue) => [queue, new Set()]));
  /** Queues that had jobs when no more could be started. */
  readonly #missed = new Set<QueueName>();
  readonly #running = new RunningJobs();
  readonly #looking = new Coalesced(() => this.#look());
  #services: Services | undefined;
  #unsubscribe = () => {};
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;
  readonly #stopGraceMs: number;
  readonly #abandonMs: number;

  /**
   * @param stopGraceMs how long jobs may take to finish when the process stops, before they are aborted
   * @param abandonMs how long aborted jobs may take to end, before they are abandoned
   */
  constructor({ stopGraceMs = STOP_GRACE_MS, abandonMs = ABANDON_MS } = {}) {
    this.#stopGraceMs = stopGraceMs;
    this.#abandonMs = abandonMs;
  }

  /** Registers the work of a job type. Called before {@link start}. */
  work<T extends JobType>(type: T, work: JobWork<T>, { queue = 'default', deadline = DEFAULT_DEADLINE }: WorkOptions = {}): void {
    this.#kinds.set(type, { work: work as Work, queue, deadline });
  }

  /** Adds a queue for another kind of work. Called before {@link start}. */
  addQueue(name: string, queue: WorkQueue): void {
    this.#queues.set(name, queue);
  }

  start(services: Services): void {
    this.#services = services;
    for (const queue of this.#queues.values()) queue.start(services);
    this.#unsubscribe = services.wakeUps.on('jobs', () => this.#request());
    services.processes.onReleased(() => this.#request());
    this.#timer = setInterval(() => this.#request(), POLL_MS).unref();
    const types = this.#typesByQueue();
    this.#running.prepare(services.database, types);
    assignQueues(services.database.db, types)
      .catch((error: unknown) => services.log.error({ err: error }, 'waiting jobs could not be put into their queues'))
      .finally(() => this.#request());
  }

  async add<T extends JobType>(
    context: Context,
    type: T,
    payload: Jobs[T],
    { key, delay = 0 }: { key?: string; delay?: number } = {},
  ): Promise<number> {
    const queue = this.#kinds.get(type)?.queue ?? 'default';
    const job = { type, queue, payload: JSON.stringify(payload), key: key ?? null, due_at: now() + delay };
    const id = await insertJob(context, job);
    if (delay === 0) afterCommit(context, () => context.wakeUps.wake('jobs'));
    return id;
  }

  find(context: Context, id: number): Promise<JobStatus | undefined> {
    return findJob(context, id);
  }

  async cancel(context: Context, id: number): Promise<boolean> {
    const isFound = await cancelJob(context, id);
    afterCommit(context, () => context.wakeUps.wake('jobs'));
    return isFound;
  }

  async settled(): Promise<void> {
    this.#request();
    while (this.#looking.isRunning || this.#promises().length > 0) await Promise.all([this.#looking.ended(), ...this.#promises()]);
    for (const queue of this.#queues.values()) await queue.settled();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#unsubscribe();
    clearInterval(this.#timer);
    const ended = Promise.all([this.#looking.ended(), ...this.#promises()]);
    const cut = new AbortController();
    await Promise.race([ended, sleep(this.#stopGraceMs, undefined, { signal: cut.signal }).catch(() => {})]);
    cut.abort();
    for (const id of this.#running.ids) this.#running.abort(id, new StoppedError('the process stops'));
    await Promise.all([ended, ...[...this.#queues.values()].map((queue) => queue.stop())]);
  }

  #promises(): Promise<void>[] {
    return [...this.#active.values()].flatMap((promises) => [...promises]);
  }

  #typesByQueue(): Map<QueueName, string[]> {
    const groups = Map.groupBy(this.#kinds, ([, { queue }]) => queue);
    return new Map([...groups].map(([queue, kinds]) => [queue, kinds.map(([type]) => type)]));
  }

  #request(): void {
    if (this.#services && !this.#isStopped) this.#looking.request();
  }

  async #look(): Promise<void> {
    const services = this.#services;
    if (!services) return;
    try {
      await this.#running.releaseForgotten(services);
      await this.#abortUnwanted(services);
      for (const queue of await dueQueues(services.database.db)) this.#fill(services, queue);
    } catch (error) {
      this.#running.doubt();
      services.log.error({ err: error }, 'due jobs could not be looked for');
    }
  }

  async #abortUnwanted(services: Services): Promise<void> {
    if (this.#running.size === 0) return;
    const { cancelled, lost } = await findUnwanted(services, this.#running.ids);
    for (const id of cancelled) this.#running.abort(id, new JobCancelledError('the job was cancelled'));
    for (const id of lost) this.#running.abort(id, new StoppedError('the job was released, because this process did not answer'));
  }

  /** Starts jobs of a queue, up to its concurrency. */
  #fill(services: Services, queue: QueueName): void {
    const active = this.#active.get(queue);
    if (!active || this.#isStopped) return;
    if (active.size >= QUEUES[queue]) {
      this.#missed.add(queue);
      return;
    }
    const draining = this.#drain(services, queue)
      .catch((error: unknown) => {
        this.#running.doubt();
        services.log.error({ queue, err: error }, 'jobs could not be worked on');
      })
      .finally(() => {
        active.delete(draining);
        if (this.#missed.delete(queue)) this.#fill(services, queue);
      });
    active.add(draining);
  }

  async #drain(services: Services, queue: QueueName): Promise<void> {
    while (!this.#isStopped && services.processes.isCurrent) {
      const taken = await this.#running.take(services, queue);
      if (!taken) return;
      this.#fill(services, queue);
      await this.#run(services, taken.job, taken.controller).finally(() => this.#running.end(taken.job.id));
    }
  }

  async #run(services: Services, job: TakenJob, controller: AbortController): Promise<void> {
    const kind = this.#kinds.get(job.type);
    if (!kind) return;
    const facts = { job: job.id, type: job.type, attempts: job.attempts };
    if (job.is_cancelled || job.attempts > MAX_ATTEMPTS) {
      if (!job.is_cancelled) {
        services.log.error(facts, 'a job is given up that has ended its process again and again');
        this.#count(services, job, 'given up');
      }
      return removeJob(services, job);
    }
    const progress = new ProgressWriter(services, job.id);
    const run: JobRun = { id: job.id, attempt: job.attempts, signal: controller.signal, progress: (value) => progress.set(value) };
    try {
      const attempt = () => kind.work(job.payload, internalContext(services), run);
      const work = () => despiteDeletions(services.database.db, job.payload, attempt, run.signal);
      await traced(
        `job ${job.type}`,
        { 'copse.job.id': job.id, 'copse.job.attempt': job.attempts },
        () => runBounded(controller, kind.deadline, work, this.#abandonMs),
        'consumer',
      );
      progress.end();
      this.#count(services, job, 'done');
      await removeJob(services, job);
    } catch (error) {
      progress.end();
      if (error instanceof JobCancelledError) return await removeJob(services, job);
      if (error instanceof StoppedError) return await giveBackJob(services, job);
      services.log.error({ ...facts, err: error }, 'a job failed');
      await recordNotice({ db: services.database.db, log: services.log }, { kind: 'job', subject: job.type, text: String(error) });
      this.#count(services, job, job.attempts >= MAX_ATTEMPTS ? 'given up' : 'failed');
      if (job.attempts >= MAX_ATTEMPTS) {
        services.log.error({ ...facts, err: error }, 'a job is given up');
        return await removeJob(services, job);
      }
      return await postponeJob(services, job, error);
    }
  }

  #count({ metrics }: Services, { type }: TakenJob, result: 'done' | 'failed' | 'given up'): void {
    metrics.count('copse_jobs_total', `type="${type}",result="${result}"`);
  }
}
