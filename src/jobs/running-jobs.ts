import type { Services } from '../context.ts';
import type { Database } from '../database/database.ts';
import type { QueueName } from './queues.ts';
import { type JobTaker, jobTaker, releaseForgotten, type TakenJob } from './rows.ts';

/** The jobs that this process runs, by id, with their abort controllers; it also takes them. */
export class RunningJobs {
  readonly #controllers = new Map<number, AbortController>();
  readonly #takers = new Map<QueueName, JobTaker>();
  /** Takes in progress. */
  readonly #taking = new Set<Promise<unknown>>();
  /** No job is taken before it resolves; it never rejects. */
  #releasing: Promise<void> = Promise.resolve();
  #mayHoldMore = false;

  get size(): number {
    return this.#controllers.size;
  }

  get ids(): number[] {
    return [...this.#controllers.keys()];
  }

  /** Aborts a job, if it is running. */
  abort(id: number, reason: Error): void {
    this.#controllers.get(id)?.abort(reason);
  }

  /** Called once, with the types of jobs that this process knows. */
  prepare(database: Database, types: ReadonlyMap<QueueName, readonly string[]>): void {
    for (const [queue, names] of types) this.#takers.set(queue, jobTaker(database, queue, names));
  }

  /** Takes the next job of a queue, which counts as running until {@link RunningJobs.end}. */
  async take(services: Services, queue: QueueName): Promise<{ job: TakenJob; controller: AbortController } | undefined> {
    const takeJob = this.#takers.get(queue);
    if (!takeJob) return undefined;
    await this.#releasing;
    const taking = takeJob(services, this.ids).then((job) => {
      if (!job) return undefined;
      const controller = new AbortController();
      this.#controllers.set(job.id, controller);
      return { job, controller };
    });
    this.#taking.add(taking);
    return await taking.finally(() => this.#taking.delete(taking));
  }

  /** The job has ended. Call it after its row is settled; otherwise the job would be released and taken again. */
  end(id: number): void {
    this.#controllers.delete(id);
  }

  /** Records that the database has not reported the result of a change: this process may own a job that it does not run. */
  doubt(): void {
    this.#mayHoldMore = true;
  }

  /** After a {@link RunningJobs.doubt}: releases jobs that do not run. It does so while no job is being taken. */
  async releaseForgotten(services: Services): Promise<void> {
    if (!this.#mayHoldMore) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#releasing = promise;
    try {
      await Promise.allSettled(this.#taking);
      await releaseForgotten(services, this.ids);
      this.#mayHoldMore = false;
    } finally {
      resolve();
    }
  }
}
