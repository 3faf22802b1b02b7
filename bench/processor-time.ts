import { readdirSync, readFileSync } from 'node:fs';

/**
 * The processor time, in milliseconds, that these processes and all that they started have taken so far, with those that they have
 * outlived. Linux alone (`/proc`, whose times count hundredths of a second).
 */
export function processorTimeOf(pids: readonly string[]): number {
  const counted = new Set(pids);
  let ticks = 0;
  // Parents come before their children, but for ids that are given anew.
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const [parent = '', times] = statOf(pid);
    if (!counted.has(pid) && !counted.has(parent)) continue;
    counted.add(pid);
    ticks += times ?? 0;
  }
  return ticks * 10;
}

/** A process's parent and its time; proc_pid_stat(5), of the fields after the name, which may hold anything. Nothing of one that is gone. */
function statOf(pid: string): [parent: string, ticks: number] | [] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return [fields[1] ?? '', fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)];
  } catch {
    return [];
  }
}
