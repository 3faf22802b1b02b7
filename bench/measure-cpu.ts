import { readdirSync, readFileSync } from 'node:fs';

/**
 * `node bench/measure-cpu.ts PIDS URL TOKEN PATH…`: the processor time in milliseconds that these processes (ids, separated by commas:
 * the server, and PostgreSQL's first process) and all that they started take for a request of each path under `/api/v1`, one at a time:
 * the median of five rounds. An empty token asks without one. Linux alone (`/proc`, whose times count hundredths of a second).
 */
const [pids = '', url = '', token = '', ...paths] = process.argv.slice(2);
if (!/^\d+(,\d+)*$/.test(pids) || !URL.canParse(url) || paths.length === 0) {
  throw new Error('usage: node bench/measure-cpu.ts PIDS URL TOKEN PATH…');
}

const ROUNDS = Number(process.env.ROUNDS ?? 5);
const MAX_REQUESTS = 300;
const WARM_UP_MS = 300;

/** User and system time so far; proc_pid_stat(5), of the fields after the name, which may hold anything. */
function cpuMilliseconds(): number {
  const counted = new Set(pids.split(','));
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

/** A process's parent and its time, with that of those it has outlived; nothing of one that is gone. */
function statOf(pid: string): [parent: string, ticks: number] | [] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return [fields[1] ?? '', fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)];
  } catch {
    return [];
  }
}

async function ask(path: string): Promise<void> {
  const response = await fetch(new URL(`api/v1${path}`, url), { headers: token ? { authorization: `token ${token}` } : {} });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
}

async function measure(path: string): Promise<number> {
  const end = Date.now() + WARM_UP_MS;
  let requests = 0;
  while (requests < MAX_REQUESTS && Date.now() < end) {
    await ask(path);
    requests++;
  }
  requests = Math.max(requests, 10);
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const before = cpuMilliseconds();
    for (let request = 0; request < requests; request++) await ask(path);
    rounds.push((cpuMilliseconds() - before) / requests);
  }
  return rounds.sort((a, b) => a - b)[ROUNDS >> 1] ?? 0;
}

for (const path of paths) process.stdout.write(`${(await measure(path)).toFixed(2)} ms  ${path}\n`);
