import { readdirSync, readFileSync } from 'node:fs';

/** Memory in bytes. */
export interface ProcessMemory {
  readonly resident: number;
  /** What is this process's alone and has been written: what the machine gets back when it ends. */
  readonly privateDirty: number;
  /** {@link privateDirty} of the processes that it has started. */
  readonly children: readonly number[];
}

/** What a process has of the memory of the machine. Linux alone (`/proc`). */
export function memoryOf(pid: string): ProcessMemory {
  const { resident, privateDirty } = read(pid);
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(name) === pid);
  return { resident, privateDirty, children: children.map((child) => read(child).privateDirty) };
}

function read(pid: string): { resident: number; privateDirty: number } {
  const text = textOf(`/proc/${pid}/smaps_rollup`);
  const bytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0) * 1024;
  return { resident: bytes('Rss'), privateDirty: bytes('Private_Dirty') };
}

function parentOf(pid: string): string | undefined {
  const stat = textOf(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1];
}

/** Empty for a process that is gone. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
