import type { Worker } from 'node:worker_threads';
import { processorMsOf } from './os-thread.ts';

/** Maximum elapsed time, in deadlines, of a thread that gets no processor, or only waits. */
const MOST_PASSED = 15;
/** The same if the thread reports its own time: it reports nothing within one long call of native code. */
const MOST_PASSED_UNSEEN = 5;

/** A thread and, once it has said so, the number by which the system knows it. */
export interface WatchedThread {
  readonly worker: Worker;
  readonly osThread?: number | undefined;
}

/**
 * Watches the processor time that a thread takes for a task: on a busy machine, a task gets as much of it as on an idle one.
 * @param ms milliseconds of processor time; at most fifteen times as long may pass
 * @param startMs the value of {@link ownProcessorMs} in the thread when the task started
 * @param onPassed called once, when the task has had its time
 * @returns ends the watch
 */
export function watchDeadline({ worker, osThread }: WatchedThread, ms: number, startMs: number, onPassed: () => void): () => void {
  let soft: NodeJS.Timeout | undefined;
  const isSeen = osThread !== undefined && processorMsOf(osThread) !== undefined;
  const hard = setTimeout(() => pass(), (isSeen ? MOST_PASSED : MOST_PASSED_UNSEEN) * ms);
  const pass = () => {
    stop();
    onPassed();
  };
  const stop = () => {
    clearTimeout(hard);
    clearTimeout(soft);
    soft = undefined;
  };
  const check = async () => {
    const asked = soft;
    const taken = (await processorMs(worker, osThread)) - startMs;
    if (soft !== asked) return;
    if (taken >= ms) pass();
    else soft = setTimeout(check, Math.max(ms - taken, 1));
  };
  soft = setTimeout(check, ms);
  return stop;
}

/** Milliseconds of processor time that the calling thread has used. */
export function ownProcessorMs(): number {
  return milliseconds(process.threadCpuUsage());
}

async function processorMs(worker: Worker, osThread: number | undefined): Promise<number> {
  const seen = osThread === undefined ? undefined : processorMsOf(osThread);
  if (seen !== undefined) return seen;
  // A thread that has just ended reports nothing, and its end is handled elsewhere.
  return await worker.cpuUsage().then(milliseconds, () => 0);
}

function milliseconds({ user, system }: { user: number; system: number }): number {
  return (user + system) / 1000;
}
