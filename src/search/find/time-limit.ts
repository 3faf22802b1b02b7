import { type Context, callerKey } from '../../context.ts';
import { HttpError } from '../../http/errors.ts';
import type { Storage } from '../../storage/storage.ts';
import { WorkerLimitError, WorkerTaskError } from '../../workers/errors.ts';
import type { TaskModule } from '../../workers/pool.ts';
import { QueryError } from '../query/query.ts';

const MINUTE = 60_000;
/** Callers that are remembered; with more the counts begin again. */
const MAX_CALLERS = 10_000;
/** Milliseconds for the lines of a page, beside those of the search. */
const SHOWING_MS = 500;
/** A task ends by itself in time; so much later its worker is ended. */
const GRACE_MS = 1500;

/** The time that callers have used in a minute, in this process. */
interface Spending {
  minute: number;
  readonly spent: Map<string, number>;
}

const spendings = new WeakMap<Storage, Spending>();

/** The remaining time of one search: its own limit, and that of its caller per minute in this process. */
export class TimeLimit {
  readonly #begin = performance.now();
  readonly #end: number;
  readonly #spending: Spending;
  readonly #caller: string;

  /** @throws HttpError 429 when the caller has spent the time of this minute */
  constructor(context: Context) {
    const { timeout, timePerCaller } = context.settings.codeSearch;
    this.#end = this.#begin + timeout;
    this.#caller = callerKey(context);
    this.#spending = spendingOf(context);
    const spent = this.#spending.spent.get(this.#caller) ?? 0;
    if (spent < timePerCaller) return;
    const seconds = Math.ceil((MINUTE - (Date.now() % MINUTE)) / 1000);
    throw new HttpError(429, 'your searches took too long; try again in a minute', { headers: { 'retry-after': String(seconds) } });
  }

  /** Milliseconds that are left, 0 at least. */
  get left(): number {
    return Math.max(0, this.#end - performance.now());
  }

  get forShowing(): number {
    return this.left + SHOWING_MS;
  }

  /** Counts the time of the search. */
  end(): void {
    const { spent } = this.#spending;
    if (spent.size >= MAX_CALLERS) spent.clear();
    spent.set(this.#caller, (spent.get(this.#caller) ?? 0) + performance.now() - this.#begin);
  }
}

function spendingOf({ storage }: Pick<Context, 'storage'>): Spending {
  const minute = Math.floor(Date.now() / MINUTE);
  const known = spendings.get(storage);
  if (known?.minute === minute) return known;
  const spending = { minute, spent: new Map<string, number>() };
  spendings.set(storage, spending);
  return spending;
}

/**
 * Runs a task of a search; undefined when it does not end in time.
 * @throws QueryError when the search cannot be read
 */
export async function inWorker<Module extends TaskModule>(
  { workers }: Context,
  module: URL,
  payload: Parameters<Module['run']>[0],
  maxMs: number,
): Promise<Awaited<ReturnType<Module['run']>> | undefined> {
  try {
    return await workers.run<Module>(module, payload, { deadlineMs: maxMs + GRACE_MS });
  } catch (error) {
    if (error instanceof WorkerLimitError) return undefined;
    if (error instanceof WorkerTaskError && error.taskError === 'QueryError') {
      throw new QueryError(error.message.split(': ').slice(1).join(': '));
    }
    throw error;
  }
}
