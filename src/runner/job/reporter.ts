import { setTimeout as sleep } from 'node:timers/promises';
import { CallError, type RunnerClient } from '../client.ts';
import { JobLog } from './log.ts';
import { type Result, StepStates } from './step-states.ts';

/** How a job is reported. */
export interface ReporterOptions {
  readonly client: RunnerClient;
  readonly taskId: bigint;
  /** How many steps its workflow has. */
  readonly steps: number;
  /** Milliseconds between reports. */
  readonly interval: number;
  /** The server has ended the job, or does not know it any more. */
  readonly onEnd: () => void;
}

/** Reports without news come every so many intervals: they say that the runner lives, and bring cancellations. */
const QUIET_ROUNDS = 3;
const MAX_PAUSE_MS = 30_000;
/** How long the end of a job is reported to a server that cannot be reached. */
const PATIENCE_MS = 60 * 60_000;

/** Reports on a job while it runs. Reports that fail are sent later. */
export class Reporter {
  readonly log = new JobLog();
  readonly steps: StepStates;
  readonly #options: ReporterOptions;
  readonly #startedAt = new Date();
  readonly #stop = new AbortController();
  #loop: Promise<void> | undefined;
  #isGone = false;

  constructor(options: ReporterOptions) {
    this.#options = options;
    this.steps = new StepStates(options.steps, this.log);
  }

  /** Begins to report. */
  start(): void {
    this.#loop = this.#run();
  }

  /**
   * Sends what is left, and how the job ended. The rest of the log goes first: a job that has ended has its whole log.
   * @param signal gives up
   */
  async finish(result: Result, outputs: Readonly<Record<string, string>>, signal: AbortSignal): Promise<void> {
    const stoppedAt = new Date();
    this.#stop.abort();
    await this.#loop;
    const deadline = performance.now() + PATIENCE_MS;
    for (let pause = this.#options.interval; performance.now() < deadline && !signal.aborted && !this.#isGone; ) {
      try {
        await this.#sendLog(true);
        await this.#options.client.updateTask({ state: this.#state(result, stoppedAt), outputs: { ...outputs } });
        return;
      } catch (error) {
        this.#noteFailure(error);
      }
      await sleep(pause, undefined, { signal }).catch(() => {});
      pause = Math.min(pause * 2, MAX_PAUSE_MS);
    }
  }

  async #run(): Promise<void> {
    const { interval } = this.#options;
    let pause = interval;
    for (let quiet = 0; !this.#isGone; ) {
      await sleep(pause, undefined, { signal: this.#stop.signal }).catch(() => {});
      if (this.#stop.signal.aborted) return;
      quiet++;
      try {
        const hasNews = this.steps.takeChange();
        await this.#sendLog(false);
        if (hasNews || quiet >= QUIET_ROUNDS) {
          quiet = 0;
          await this.#sendState();
        }
        pause = interval;
      } catch (error) {
        this.#noteFailure(error);
        this.steps.isChanged = true;
        pause = Math.min(pause * 2, MAX_PAUSE_MS);
      }
    }
  }

  async #sendState(): Promise<void> {
    const { state } = await this.#options.client.updateTask({ state: this.#state('unspecified'), outputs: {} });
    if (state && state.result !== 0) this.#options.onEnd();
  }

  async #sendLog(isLast: boolean): Promise<void> {
    const { client, taskId } = this.#options;
    for (;;) {
      const { index, rows, isAll } = await this.log.next();
      if (rows.length === 0 && !isLast) return;
      const noMore = isLast && isAll;
      const { ackIndex } = await client.updateLog({ taskId, index: BigInt(index), rows, noMore });
      this.log.acknowledge(Number(ackIndex));
      if (noMore ? Number(ackIndex) >= index + rows.length : isAll) return;
    }
  }

  #state(result: Result | 'unspecified', stoppedAt?: Date) {
    return this.steps.state({ id: this.#options.taskId, result, startedAt: this.#startedAt, ...(stoppedAt && { stoppedAt }) });
  }

  /** A server that refuses reports for good does not know the job any more: it goes on for nobody. */
  #noteFailure(error: unknown): void {
    if (!(error instanceof CallError)) throw error;
    if (error.isTemporary) return;
    this.#isGone = true;
    this.#options.onEnd();
  }
}
