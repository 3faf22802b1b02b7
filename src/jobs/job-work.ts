import type { Context } from '../context.ts';
import type { Jobs, JobType, Progress } from './jobs.ts';
import type { QueueName } from './queues.ts';

/** The run of a job, as its work sees it. */
export interface JobRun {
  /** The id of the job. */
  readonly id: number;
  /** The number of this attempt, from 1. */
  readonly attempt: number;
  /** Aborted when the job is cancelled, its deadline passes, another process takes it, or this process stops. */
  readonly signal: AbortSignal;
  /** Reports progress. It is written at most once a second, so this may be called often. */
  progress(progress: Progress): void;
}

/** Runs the jobs of a type. It may be called again for a job that it has already done, partly or completely. */
export type JobWork<T extends JobType> = (payload: Jobs[T], context: Context, run: JobRun) => Promise<void>;

/** Options for the jobs of a type. */
export interface WorkOptions {
  /** The queue, `default` when absent. */
  queue?: QueueName;
  /** Seconds after which an attempt is aborted and counts as failed; 10 minutes when absent. */
  deadline?: number;
}
