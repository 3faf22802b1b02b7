import { readFileSync, readlinkSync } from 'node:fs';

/** The number by which Linux knows the calling thread; undefined elsewhere. */
export function ownOsThread(): number | undefined {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1));
  } catch {
    return undefined;
  }
}

/** Milliseconds of processor time that a thread of this process has taken, whatever it does; undefined where the system does not say. */
export function processorMsOf(osThread: number): number | undefined {
  try {
    const [nanoseconds] = readFileSync(`/proc/self/task/${osThread}/schedstat`, 'latin1').split(' ');
    return Number(nanoseconds) / 1e6;
  } catch {
    return undefined;
  }
}
