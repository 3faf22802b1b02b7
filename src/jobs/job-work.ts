import type { Context } from '../context.ts';
import type { Jobs, JobType, Progress } from './jobs.ts';
import type { QueueName } from './queues.ts';

/** The run of a job, as its work sees it. */
export interface JobRun {
  /** The id of the job. */
  readonly id: number;
  /** Which attempt this is, from 1. */
  readonly attempt: number;
  /** Aborted when the job is cancelled, its deadline passes, another process has it, or this process stops. */
  readonly signal: AbortSignal;
  /** Says how far it is. It is written once a second at most, so this may be called often. */
  progress(progress: Progress): void;
}

/** Does the jobs of a type. It may be called again for a job that it has done in part, or even wholly. */
export type JobWork<T extends JobType> = (payload: Jobs[T], context: Context, run: JobRun) => Promise<void>;

/** How the jobs of a type are done. */
export interface WorkOptions {
  /** The queue, `default` when absent. */
  queue?: QueueName;
  /** Seconds after which an attempt is aborted and has failed; 10 minutes when absent. */
  deadline?: number;
}
