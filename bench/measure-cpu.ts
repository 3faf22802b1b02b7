import { processorTimeOf } from './processor-time.ts';

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

const cpuMilliseconds = () => processorTimeOf(pids.split(','));

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
