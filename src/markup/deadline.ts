import vm from 'node:vm';

/** The longest that one rendering may keep the thread, in milliseconds. */
export const RENDER_DEADLINE = 800;

/** Below this many characters what is at worst quadratic cannot take long, so the watchdog's own cost (0.2 ms) is saved. */
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

/** How heavy a text is for `withDeadline`: its length, and more of it when grammars of programming languages are to read it. */
export function weight(text: string): number {
  return text.includes('```') || text.includes('~~~') ? text.length * 8 : text.length;
}

/**
 * Runs synchronous `work` on an input of this weight (characters) and stops it after `milliseconds`, wherever it is, even inside
 * a regular expression: parsers and highlighters of others have quadratic corners that no bound on the input's size excludes.
 * @throws RenderLimitError when time ran out
 */
export function withDeadline<T>(weight: number, milliseconds: number, work: () => T): T {
  if (weight < WATCHED_LENGTH) return work();
  const { sandbox, run, context } = watchdog();
  const outer = sandbox.work;
  sandbox.work = work;
  try {
    return run.runInContext(context, { timeout: Math.max(1, Math.ceil(milliseconds)) }) as T;
  } catch (error) {
    // The error is one of the other realm, so no instanceof.
    if (typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') {
      throw new RenderLimitError(`rendering took longer than ${milliseconds} ms`);
    }
    // Nesting beyond the stack: the other way in which an input exceeds what can be rendered.
    if (error instanceof RangeError) throw new RenderLimitError(error.message);
    throw error;
  } finally {
    sandbox.work = outer;
  }
}
