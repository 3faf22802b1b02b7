import { readFileSync, readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';

/** The number by which Linux knows the calling thread; undefined elsewhere. */
export function ownOsThread(): number | undefined {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1));
  } catch {
    return undefined;
  }
}

/** How much worker threads give way to others (`nice`): enough that the main thread gets a processor first. */
const NICENESS = 3;

/** Has a thread of this process run after others that want a processor, where the system can do that for a thread alone. */
export function giveWay(osThread: number): void {
  try {
    setPriority(osThread, NICENESS);
  } catch {
    // It runs as others do.
  }
}

/** Milliseconds of processor time that a thread of this process has used; undefined if the system does not report it. */
export function processorMsOf(osThread: number): number | undefined {
  try {
    const [nanoseconds] = readFileSync(`/proc/self/task/${osThread}/schedstat`, 'latin1').split(' ');
    return Number(nanoseconds) / 1e6;
  } catch {
    return undefined;
  }
}
