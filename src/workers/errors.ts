/** A task was ended because it exceeded its deadline or its memory; its worker has ended too. */
export class WorkerLimitError extends Error {
  override readonly name = 'WorkerLimitError';
  readonly limit: 'deadline' | 'memory';
  constructor(limit: 'deadline' | 'memory', module: URL, detail: string) {
    super(`${module.pathname.replace(/^.*\//, '')} passed its ${limit}: ${detail}`);
    this.limit = limit;
  }
}

/** Too many tasks wait, or one has waited too long: the caller may try again later (503). */
export class WorkersBusyError extends Error {
  override readonly name = 'WorkersBusyError';
}

/** A task threw. `cause` is a copy of what it threw; `taskError` is the name of that error's class. */
export class WorkerTaskError extends Error {
  override readonly name = 'WorkerTaskError';
  readonly taskError: string;
  constructor(taskError: string, message: string, cause: unknown) {
    super(`${taskError}: ${message}`, { cause });
    this.taskError = taskError;
  }
}
