import vm from 'node:vm';
import { ownProcessorMs } from '../workers/deadline.ts';

/** The longest that one rendering may keep the thread, in milliseconds. */
export const RENDER_DEADLINE = 800;

/** Texts shorter than this cannot take long even in quadratic time, so the watchdog's cost (0.2 ms) is saved. */
const WATCHED_LENGTH = 4096;

/** Thrown when a text takes too long to render or nests too deep; the caller sends the plain text instead. */
export class RenderLimitError extends Error {
  override name = 'RenderLimitError';
}

interface Sandbox {
  work: (() => unknown) | undefined;
}

let watched: { sandbox: Sandbox; run: vm.Script; context: vm.Context } | undefined;

function watchdog() {
  if (!watched) {
    const sandbox: Sandbox = { work: undefined };
    watched = { sandbox, run: new vm.Script('work()'), context: vm.createContext(sandbox) };
  }
  return watched;
}

/** How many characters of text one of code weighs: grammars of programming languages read it again and again. */
const CODE_WEIGHT = 8;

/** When the work of {@link withDeadline} that is under way has to end, by the monotonic clock, and whether the watchdog sees to that. */
let endsAt = Number.POSITIVE_INFINITY;
let isWatched = false;

/** On a busy machine, so many times as long may pass as a work may take. */
const MOST_PASSED = 5;
/** A work that got less than this part of its time from the processor shared it with others. */
const STARVED = 0.8;
let patienceFactor = 1;
/** Something was stopped that had not got the processor for as long as it may take. */
let isStarved = false;

/**
 * Runs what uses {@link withDeadline} in a thread of its own. A work that was stopped because the machine is busy gets a second chance with
 * more time, as the watchdog knows the clock alone. `work` must be repeatable.
 */
export async function unhurried<T>(work: () => T | Promise<T>): Promise<T> {
  isStarved = false;
  const result = await work();
  if (!isStarved) return result;
  patienceFactor = MOST_PASSED;
  try {
    return await work();
  } finally {
    patienceFactor = 1;
  }
}

/**
 * Runs synchronous `work` on an input of this weight (characters) and stops it after `milliseconds`, wherever it is, even inside
 * a regular expression: parsers and highlighters of others have quadratic corners that no bound on the input's size excludes.
 * @throws RenderLimitError when time ran out
 */
export function withDeadline<T>(weight: number, milliseconds: number, work: () => T): T {
  const before = endsAt;
  const most = patienceFactor * milliseconds;
  endsAt = Math.min(before, performance.now() + most);
  try {
    return weight < WATCHED_LENGTH ? work() : watch(most, work);
  } finally {
    endsAt = before;
  }
}

/**
 * Runs the part of such work that reads a piece of code: it is watched for itself when the text as a whole is too short for that.
 * @throws RenderLimitError when the time of the whole ran out
 */
export function readingCode<T>(code: string, work: () => T): T {
  const isShort = code.length * CODE_WEIGHT < WATCHED_LENGTH;
  return isShort || isWatched || endsAt === Number.POSITIVE_INFINITY ? work() : watch(endsAt - performance.now(), work);
}

function watch<T>(milliseconds: number, work: () => T): T {
  const { sandbox, run, context } = watchdog();
  const outer = { work: sandbox.work, isWatched };
  const startMs = ownProcessorMs();
  sandbox.work = work;
  isWatched = true;
  try {
    return run.runInContext(context, { timeout: Math.max(1, Math.ceil(milliseconds)) }) as T;
  } catch (error) {
    // The error is one of the other realm, so no instanceof.
    if (typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') {
      isStarved ||= ownProcessorMs() - startMs < STARVED * milliseconds;
      throw new RenderLimitError(`rendering took longer than ${milliseconds} ms`);
    }
    // Nesting beyond the stack: the other way in which an input exceeds the limits of rendering.
    if (error instanceof RangeError) throw new RenderLimitError(error.message);
    throw error;
  } finally {
    sandbox.work = outer.work;
    isWatched = outer.isWatched;
  }
}
