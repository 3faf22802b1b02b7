import { readdir, readFile, readlink } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_EVERY_MS = 100;

/**
 * Waits until no git of an earlier server uses a repository: a git process outlives a server that is killed alone, and may hold a lock for
 * a moment.
 * @param withinMs the longest wait; the whole time where the system does not list processes (Linux does, in /proc)
 * @returns false when one is still running
 */
export async function orphansEnded(path: string, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const isBusy = await hasOrphan(path);
    if (isBusy === false) return true;
    const left = deadline - performance.now();
    if (left <= 0) return isBusy === undefined;
    await sleep(Math.min(left, LOOK_EVERY_MS));
  }
}

/** Whether a process has its working folder at `path`; undefined where the system does not list processes. */
export async function isInUse(path: string): Promise<boolean | undefined> {
  const names = await readdir('/proc').catch(() => undefined);
  if (!names?.includes('self')) return undefined;
  for (const name of names) if (/^\d+$/.test(name) && (await readlink(`/proc/${name}/cwd`).catch(() => '')) === path) return true;
  return false;
}

/** Whether a process that is older than this one has its working folder at `path`; undefined if that cannot be found out. */
async function hasOrphan(path: string): Promise<boolean | undefined> {
  const own = await startOf('self');
  if (own === undefined) return undefined;
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    // Other users' processes cannot be read, and are not ours.
    if ((await readlink(`/proc/${name}/cwd`).catch(() => '')) !== path) continue;
    const start = await startOf(name);
    if (start !== undefined && start < own) return true;
  }
  return false;
}

/** When a process was started, in ticks since the start of the system: field 22 of proc_pid_stat(5). */
async function startOf(pid: string): Promise<number | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  // The second field is the name in parentheses, which may contain anything.
  const ticks = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  return ticks === undefined ? undefined : Number(ticks);
}
