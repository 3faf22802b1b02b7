import type { Transferable, Worker } from 'node:worker_threads';

/** How a task is run. */
export interface TaskOptions {
  /** Milliseconds of processor time from its start, the loading of its module not counted; then its worker is ended. */
  deadlineMs?: number;
  /** A background job: it comes after the others, leaves one thread to them, and may wait without limit. */
  background?: boolean;
  /** Takes it out of the queue, or ends its worker. */
  signal?: AbortSignal | undefined;
  /** The parts of the payload that are transferred instead of copied, such as a port. */
  transfer?: readonly Transferable[];
}

/** A task that waits or is being done. */
export interface Task {
  readonly module: URL;
  readonly payload: unknown;
  readonly options: TaskOptions;
  readonly queuedAt: number;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** A thread, and the task that it works on. */
export interface Thread {
  readonly worker: Worker;
  /** The number by which the system knows it, from its first task on. */
  osThread?: number | undefined;
  task: Task | undefined;
  /** Ends the watch on its deadline, or on how long it is idle. */
  unwatch: () => void;
}
