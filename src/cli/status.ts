import { listProcesses, type ProcessStatus } from '../admin/processes/processes.ts';
import { now } from '../clock.ts';
import { task } from './task.ts';

/** `copse status`: the running processes. The command itself is one of them, and is left out. */
export const status = task('copse status', 'Shows the running processes and what each is doing.', {}, async (context) => {
  const processes = (await listProcesses(context)).filter(({ id }) => id !== context.processes.id);
  return processes.length === 0 ? 'no process is running' : processes.map(describe).join('\n');
});

function describe({ id, role, host, pid, version, started_at, is_draining, load, jobs, tasks }: ProcessStatus): string {
  const running = `for ${duration(now() - started_at)}`;
  const used = load && `${Math.round(load.cpu * 100)} % of a core, ${Math.round(load.memory / 2 ** 20)} MiB`;
  const line = [`${role} ${id} on ${host} (pid ${pid})`, version, running, used, is_draining && 'stopping'].filter(Boolean).join(', ');
  const work = jobs.map(({ type, startedAt, progress }) => {
    return `  job ${type} for ${duration(now() - (startedAt ?? now()))}${progress === '' ? '' : `, ${progress}`}`;
  });
  return [line, ...work, ...tasks.map((name) => `  task ${name}`)].join('\n');
}

function duration(seconds: number): string {
  const [days, hours, minutes] = [Math.floor(seconds / 86_400), Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60];
  if (days > 0) return `${days}d ${hours}h`;
  if (hours > 0) return `${hours}h ${minutes}m`;
  return minutes > 0 ? `${minutes}m ${seconds % 60}s` : `${seconds}s`;
}
