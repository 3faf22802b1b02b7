import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { watchDeadline } from './deadline.ts';
import { WorkerLimitError, WorkersBusyError, WorkerTaskError } from './errors.ts';
import { LOADING_ARGUMENTS } from './loading.ts';
import type { TaskMessage, TaskReply } from './run-task.ts';
import type { Task, TaskOptions, Thread } from './task.ts';

export type { TaskOptions } from './task.ts';

/** Limits of a {@link WorkerPool}. */
export interface WorkerPoolOptions {
  /** Threads at one time; at least 2, so that tasks in the background leave one. */
  size?: number;
  /** Tasks that wait at one time, of both kinds together. */
  maxQueued?: number;
  /** Milliseconds that a task in the foreground waits before it is refused. */
  maxWaitMs?: number;
  /** MiB of JavaScript memory for each thread; buffers are not counted. */
  maxHeapMb?: number;
  /** Milliseconds without a task after which a thread is ended. */
  idleMs?: number;
}

/** A module that can be run in a worker: it exports `run`. Payload and result are copied (structured clone). */
export interface TaskModule {
  run(payload: never): unknown;
}

const DEFAULT_DEADLINE_MS = 10_000;
const MAX_SIZE = 4;
/** MiB for the young objects of a thread: with 12 long texts took twice as long, most of it to copy what lives on. */
const YOUNG_MB = 32;
/** Time limit for a thread to start and load a task's module, which is our own code. */
const LOADING_MS = 60_000;

/**
 * Runs expensive tasks off the main thread: each task has a deadline in processor time, each thread a bound
 * on its memory, and both are enforced by ending the thread. Threads are started when needed and ended when idle.
 */
export class WorkerPool {
  readonly #size: number;
  readonly #maxQueued: number;
  readonly #maxWaitMs: number;
  readonly #maxHeapMb: number;
  readonly #idleMs: number;
  readonly #threads = new Set<Thread>();
  readonly #foreground: Task[] = [];
  readonly #background: Task[] = [];
  #closed = false;

  /** The numbers of threads that work and that wait, and of tasks that wait for one. */
  get state(): { busy: number; idle: number; waiting: number } {
    const busy = [...this.#threads].filter(({ task }) => task).length;
    return { busy, idle: this.#threads.size - busy, waiting: this.#foreground.length + this.#background.length };
  }
  #patience: NodeJS.Timeout | undefined;

  constructor(options: WorkerPoolOptions = {}) {
    this.#size = Math.max(2, options.size ?? Math.min(MAX_SIZE, availableParallelism()));
    this.#maxQueued = options.maxQueued ?? 256;
    this.#maxWaitMs = options.maxWaitMs ?? 10_000;
    this.#maxHeapMb = options.maxHeapMb ?? 256;
    this.#idleMs = options.idleMs ?? 30_000;
  }

  /**
   * Runs the `run` of a module with a payload: `workers.run<typeof import('./x-task.ts')>(new URL('./x-task.ts', import.meta.url), payload)`.
   * @throws WorkerLimitError when it passes its deadline or memory
   * @throws WorkersBusyError when too many wait, or it waited too long
   * @throws WorkerTaskError when `run` throws
   */
  run<Module extends TaskModule>(
    module: URL,
    payload: Parameters<Module['run']>[0],
    options: TaskOptions = {},
  ): Promise<Awaited<ReturnType<Module['run']>>> {
    const { promise, resolve, reject } = promiseOf<unknown>();
    const { signal } = options;
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (this.#closed) return Promise.reject(new WorkersBusyError('the workers have been stopped'));
    const waiting = this.#foreground.length + this.#background.length;
    const full = waiting >= this.#maxQueued && this.#threads.size >= this.#size;
    if (full) return Promise.reject(new WorkersBusyError(`${waiting} tasks wait already`));
    const task: Task = { module, payload, options, queuedAt: performance.now(), resolve, reject };
    const onAbort = () => this.#abort(task, signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    (options.background ? this.#background : this.#foreground).push(task);
    this.#next();
    return promise.finally(() => signal?.removeEventListener('abort', onAbort)) as Promise<Awaited<ReturnType<Module['run']>>>;
  }

  /** Ends all threads; running and waiting tasks are rejected. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#patience);
    const error = new WorkersBusyError('the workers have been stopped');
    for (const task of [...this.#foreground.splice(0), ...this.#background.splice(0)]) task.reject(error);
    await Promise.all([...this.#threads].map((thread) => this.#end(thread, error)));
  }

  /** Starts all tasks that can start. */
  #next(): void {
    for (;;) {
      const task = this.#foreground[0] ?? (this.#mayStartBackground() ? this.#background[0] : undefined);
      const thread = task && this.#idleThread();
      if (!task || !thread) break;
      (this.#foreground[0] === task ? this.#foreground : this.#background).shift();
      this.#start(thread, task);
    }
    this.#watchWaiting();
  }

  #mayStartBackground(): boolean {
    const running = [...this.#threads].filter(({ task }) => task?.options.background).length;
    return running < this.#size - 1;
  }

  #idleThread(): Thread | undefined {
    for (const thread of this.#threads) if (!thread.task) return thread;
    return this.#threads.size < this.#size ? this.#open() : undefined;
  }

  #open(): Thread {
    // The option that keeps the main thread's young generation small (`bin/copse`) would be that of workers as well. V8 reads it only where a
    // thread starts.
    setFlagsFromString('--max-semi-space-size=0');
    const worker = new Worker(new URL('./run-task.ts', import.meta.url), {
      // Workers get neither the secrets in the environment nor the main thread's other start options.
      env: {},
      execArgv: [...LOADING_ARGUMENTS],
      name: 'copse-worker',
      resourceLimits: { maxOldGenerationSizeMb: this.#maxHeapMb, maxYoungGenerationSizeMb: YOUNG_MB },
    });
    const thread: Thread = { worker, task: undefined, unwatch: () => {} };
    this.#threads.add(thread);
    worker.on('message', (reply: TaskReply) => this.#receive(thread, reply));
    worker.on('messageerror', (error) => void this.#end(thread, error));
    worker.on('error', (error: NodeJS.ErrnoException) => {
      const { task } = thread;
      const outOfMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY' && task;
      void this.#end(thread, outOfMemory ? new WorkerLimitError('memory', task.module, `more than ${this.#maxHeapMb} MiB`) : error);
    });
    worker.on('exit', () => void this.#end(thread, new Error('the worker ended')));
    return thread;
  }

  #start(thread: Thread, task: Task): void {
    thread.task = task;
    thread.worker.ref();
    this.#watch(thread, LOADING_MS, 0);
    const message: TaskMessage = { module: task.module.href, payload: task.payload };
    try {
      thread.worker.postMessage(message, task.options.transfer);
    } catch (error) {
      // The payload cannot be copied.
      this.#release(thread)?.reject(error);
    }
  }

  #watch(thread: Thread, ms: number, startMs: number): void {
    thread.unwatch();
    const { module } = thread.task ?? {};
    if (!module) return;
    const onPassed = () => void this.#end(thread, new WorkerLimitError('deadline', module, `${ms} ms`));
    thread.unwatch = watchDeadline(thread, ms, startMs, onPassed);
  }

  #receive(thread: Thread, reply: TaskReply): void {
    if (!('startMs' in reply)) {
      this.#finish(thread, reply);
      return;
    }
    thread.osThread = reply.osThread;
    this.#watch(thread, thread.task?.options.deadlineMs ?? DEFAULT_DEADLINE_MS, reply.startMs);
  }

  #finish(thread: Thread, reply: Exclude<TaskReply, { startMs: number }>): void {
    const task = this.#release(thread);
    if ('error' in reply) {
      const { name, message, stack } = reply.error;
      task?.reject(new WorkerTaskError(name, message, stack));
    } else task?.resolve(reply.result);
    this.#next();
  }

  #release(thread: Thread): Task | undefined {
    const { task } = thread;
    thread.unwatch();
    thread.task = undefined;
    thread.worker.unref();
    const idle = setTimeout(() => void this.#end(thread, new Error('idle')), this.#idleMs).unref();
    thread.unwatch = () => clearTimeout(idle);
    return task;
  }

  async #end(thread: Thread, error: unknown): Promise<void> {
    if (!this.#threads.delete(thread)) return;
    thread.unwatch();
    const { task } = thread;
    thread.task = undefined;
    task?.reject(error);
    const ended = thread.worker.terminate();
    if (!this.#closed) this.#next();
    await ended;
  }

  #abort(task: Task, reason: unknown): void {
    for (const queue of [this.#foreground, this.#background]) {
      const at = queue.indexOf(task);
      if (at !== -1) queue.splice(at, 1);
    }
    for (const thread of this.#threads) if (thread.task === task) void this.#end(thread, reason);
    task.reject(reason);
  }

  /** Refuses tasks of the foreground that have waited too long: they are in the order of their arrival. */
  #watchWaiting(): void {
    clearTimeout(this.#patience);
    const [first] = this.#foreground;
    if (!first) return;
    const left = first.queuedAt + this.#maxWaitMs - performance.now();
    this.#patience = setTimeout(
      () => {
        const before = performance.now() - this.#maxWaitMs;
        while (this.#foreground[0] && this.#foreground[0].queuedAt <= before) {
          this.#foreground.shift()?.reject(new WorkersBusyError('no worker was free in time'));
        }
        this.#watchWaiting();
      },
      Math.max(left, 1),
    ).unref();
  }
}

function promiseOf<T>() {
  let resolve: (value: T) => void = () => {};
  let reject: (reason: unknown) => void = () => {};
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}
