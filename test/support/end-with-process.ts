import type { ChildProcess } from 'node:child_process';

/** Kills a program that runs beside this process when this process ends, however that comes about. Returns the program. */
export function endWithProcess(child: ChildProcess): ChildProcess {
  const end = () => void child.kill('SIGKILL');
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
  return child;
}
