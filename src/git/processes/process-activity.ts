import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

/** Whether the activity of a process can be read: on Linux, in `/proc`. */
export const canReadActivity = existsSync('/proc/self/io');

/**
 * What a process has read, written and computed so far, as an opaque text: while it stays the same, the process waits.
 * Undefined for a process that has ended.
 */
async function activityOf(pid: number): Promise<string | undefined> {
  try {
    const [io, stat] = await Promise.all([readFile(`/proc/${pid}/io`, 'latin1'), readFile(`/proc/${pid}/stat`, 'latin1')]);
    // The name may contain anything; after it, user and system time are the 12th and 13th field (proc_pid_stat(5)).
    const times = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return `${io} ${times[11]} ${times[12]}`;
  } catch {
    return undefined;
  }
}

/**
 * Calls `onIdle` once when a process has done nothing for this time: its output is not being read.
 * @returns ends the watch
 */
export function watchActivity(pid: number, idleTimeoutMs: number, onIdle: () => void): () => void {
  let last: string | undefined;
  let since = performance.now();
  const timer = setInterval(async () => {
    const activity = await activityOf(pid);
    if (activity !== last) {
      last = activity;
      since = performance.now();
    } else if (activity !== undefined && performance.now() - since >= idleTimeoutMs) onIdle();
  }, idleTimeoutMs / 4).unref();
  return () => clearInterval(timer);
}
