import { channel } from 'node:diagnostics_channel';
import type { GitProcess } from './launched-process.ts';

/** A git process that was started. */
export interface GitProcessStarted {
  /** The first of its arguments that is not an option, such as `rev-list`. */
  readonly command: string;
  readonly child: GitProcess;
}

/** Publishes started git processes, for metrics and traces. */
export const gitProcesses = channel('copse.git.process');

/** Options of git itself that have a value. */
const WITH_VALUE = new Set(['-c', '-C', '--git-dir', '--work-tree', '--namespace', '--attr-source']);

/** Publishes a process that was started with these arguments. */
export function publishGitProcess(args: readonly string[], child: GitProcess): void {
  if (gitProcesses.hasSubscribers) gitProcesses.publish({ command: commandOf(args), child } satisfies GitProcessStarted);
}

function commandOf(args: readonly string[]): string {
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? '';
    if (WITH_VALUE.has(word)) at++;
    else if (/^[a-z][a-z0-9-]*$/.test(word)) return word;
  }
  return 'other';
}
