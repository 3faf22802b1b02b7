import type { Services } from '../context.ts';
import type { QueueName } from './queues.ts';
import { releaseForgotten, type TakenJob, takeJob } from './rows.ts';

/** The jobs that this process does, by their ids, with what aborts them; and how it takes them. */
export class RunningJobs {
  readonly #controllers = new Map<number, AbortController>();
  /** What takes a job at the moment. */
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

  /** Aborts a job, if it is under way. */
  abort(id: number, reason: Error): void {
    this.#controllers.get(id)?.abort(reason);
  }

  /** Takes the next job of a queue, which is under way from then on until {@link RunningJobs.end}. */
  async take(
    services: Services,
    queue: QueueName,
    types: readonly string[],
  ): Promise<{ job: TakenJob; controller: AbortController } | undefined> {
    await this.#releasing;
    const taking = takeJob(services, queue, types, this.ids).then((job) => {
      if (!job) return undefined;
      const controller = new AbortController();
      this.#controllers.set(job.id, controller);
      return { job, controller };
    });
    this.#taking.add(taking);
    return await taking.finally(() => this.#taking.delete(taking));
  }

  /** The job is no longer under way. Until its row is settled, it would be released and taken again. */
  end(id: number): void {
    this.#controllers.delete(id);
  }

  /** Says that the database has not said how a change of a job ended: it may be this process's without being under way. */
  doubt(): void {
    this.#mayHoldMore = true;
  }

  /** After a {@link RunningJobs.doubt}: gives back what is not under way. It does so between two takings. */
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
