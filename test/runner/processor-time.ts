import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts the time of processes in hundredths of a second. */
const TICKS_PER_SECOND = 100;

interface Counted {
  readonly parent: number;
  /** Its own and that of the processes that it started and that have ended. */
  readonly ticks: number;
}

/** The seconds of processor time that a process has used, with every process that it started; 0 where there is no `/proc`. */
export function processorSeconds(pid: number): number {
  const all = new Map<number, Counted>();
  for (const name of processNames()) {
    const counted = read(name);
    if (counted) all.set(Number(name), counted);
  }
  let ticks = 0;
  const tree = new Set([pid]);
  // Processes that are added on the way are visited too.
  for (const one of tree) {
    ticks += all.get(one)?.ticks ?? 0;
    for (const [child, { parent }] of all) if (parent === one) tree.add(child);
  }
  return ticks / TICKS_PER_SECOND;
}

function processNames(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

function read(name: string): Counted | undefined {
  try {
    const text = readFileSync(`/proc/${name}/stat`, 'latin1');
    // The name of the program, in parentheses, may contain anything.
    const [, parent, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { parent: Number(parent), ticks: rest.slice(9, 13).reduce((sum, field) => sum + Number(field), 0) };
  } catch {
    // It has ended just now.
    return undefined;
  }
}
