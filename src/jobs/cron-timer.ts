import { Cron } from 'croner';
import { cronExpression } from './cron-expression.ts';

/** Node cannot wait longer at a time, and the clock of the system may be set meanwhile. */
const LONGEST_WAIT_MS = 60 * 60 * 1000;

/** The next time of a schedule after another one; null if there is none. */
export function nextTimeOf(schedule: string, after = new Date()): Date | null {
  return new Cron(cronExpression(schedule), { paused: true }).nextRun(after);
}

/**
 * Calls a function at the times of a schedule, until it is stopped. It parses the schedule for each time: what was parsed takes 100 KB, and a
 * server has twenty.
 */
export class CronTimer {
  readonly #schedule: string;
  readonly #run: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(schedule: string, run: () => void) {
    this.#schedule = schedule;
    this.#run = run;
    this.#await(nextTimeOf(schedule));
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #await(time: Date | null): void {
    if (!time) return;
    const wait = Math.max(1, Math.min(time.getTime() - Date.now(), LONGEST_WAIT_MS));
    this.#timer = setTimeout(() => this.#reach(time), wait).unref();
  }

  #reach(time: Date): void {
    const isDue = Date.now() >= time.getTime();
    this.#await(nextTimeOf(this.#schedule));
    if (isDue) this.#run();
  }
}
