import type { GitProcessStarted } from '../git/processes/observe.ts';
import { gitProcesses } from '../git/processes/observe.ts';
import type { Metrics } from '../metrics/metrics.ts';

/** Counts the git processes that are started. Returns a function that stops it. */
export function measureGit(metrics: Metrics): () => void {
  let running = 0;
  const observe = (message: unknown) => {
    const { command, child } = message as GitProcessStarted;
    const labels = `command="${command}"`;
    const began = performance.now();
    metrics.count('copse_git_processes_started_total', labels);
    running++;
    child.once('exit', () => {
      running--;
      metrics.histogram('copse_git_process_duration_seconds', labels).observe((performance.now() - began) / 1000);
    });
    // It was not started.
    child.once('error', () => running--);
  };
  gitProcesses.subscribe(observe);
  const remove = metrics.addSource(() => [{ name: 'copse_git_processes_running', labels: '', value: running }]);
  return () => {
    gitProcesses.unsubscribe(observe);
    remove();
  };
}
