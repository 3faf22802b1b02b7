import { readFileSync } from 'node:fs';

/**
 * `node bench/measure-cpu.ts PID URL TOKEN PATH…`: the processor time in milliseconds that the server with this process id takes for a
 * request of each path under `/api/v1`, one at a time: the median of five rounds. An empty token asks without one. Linux alone
 * (`/proc`, whose times count hundredths of a second).
 */
const [pid = '', url = '', token = '', ...paths] = process.argv.slice(2);
if (!/^\d+$/.test(pid) || !URL.canParse(url) || paths.length === 0) throw new Error('usage: node bench/measure-cpu.ts PID URL TOKEN PATH…');

const ROUNDS = 5;
const MAX_REQUESTS = 300;
const WARM_UP_MS = 300;

/** User and system time so far; proc_pid_stat(5), fields 14 and 15, after the name, which may hold anything. */
function cpuMilliseconds(): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function ask(path: string): Promise<void> {
  const answer = await fetch(new URL(`api/v1${path}`, url), { headers: token ? { authorization: `token ${token}` } : {} });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
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
