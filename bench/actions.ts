import { setTimeout as sleep } from 'node:timers/promises';
import { apiOf } from './call-api.ts';
import { processorTimeOf } from './processor-time.ts';

/*
 * What automation costs a running server in processor time; Linux alone.
 *
 *     node bench/actions.ts push PIDS URL NAME:PASSWORD     a push that starts ten workflows, and pushes that start none
 *     node bench/actions.ts idle PIDS URL NAME:PASSWORD 200 so many runners that wait for jobs
 *
 * PIDS are the ids, separated by commas, of the server's process and of PostgreSQL's first one; the account is an administrator's. The
 * pushes are commits through the API, each kind in turns. The runners ask as gitea-runner 1.0.8 does: each request may take five seconds,
 * and five seconds pass before the next.
 */

const [mode = '', pids = '', url = '', account = '', size = '200'] = process.argv.slice(2);
if (!['push', 'idle'].includes(mode) || !/^\d+(,\d+)*$/.test(pids) || !URL.canParse(url) || !account.includes(':'))
  throw new Error('usage: node bench/actions.ts push|idle PIDS URL NAME:PASSWORD [RUNNERS]');

const authorization = `Basic ${Buffer.from(account).toString('base64')}`;
const call = apiOf(url, authorization);
const time = () => processorTimeOf(pids.split(','));

/** Milliseconds of processor time a second while nothing happens. */
async function rate(seconds: number): Promise<number> {
  const before = [time(), performance.now()] as const;
  await sleep(seconds * 1000);
  return ((time() - before[0]) / (performance.now() - before[1])) * 1000;
}

if (mode === 'push') await measurePushes();
else await measureIdle(Number(size));

async function measurePushes(): Promise<void> {
  const [rounds, commits] = [6, 20];
  const kinds = { 'no workflows': '', 'ten that it does not start': 'workflow_dispatch', 'ten that it starts': 'push' };
  const repositories = await Promise.all(Object.entries(kinds).map(async ([kind, on]) => ({ kind, path: await repositoryWith(on) })));
  await untilQuiet();
  const idle = await rate(10);
  const times = new Map<string, number[]>();
  for (let round = -1; round < rounds; round++) {
    for (const { kind, path } of repositories) {
      const [before, start] = [time(), performance.now()];
      for (let commit = 0; commit < commits; commit++) await change(path, `${round}-${commit}`);
      await untilQuiet();
      const cost = (time() - before - (idle * (performance.now() - start)) / 1000) / commits;
      // The first round warms up.
      if (round >= 0) times.set(kind, [...(times.get(kind) ?? []), cost]);
    }
  }
  for (const [kind, costs] of times) {
    const sorted = costs.toSorted((a, b) => a - b);
    console.log(`${kind}: ${median(sorted).toFixed(1)} ms a push (${sorted.map((cost) => cost.toFixed(1)).join(', ')})`);
  }
  const [none = [], , ten = []] = [...times.values()];
  console.log(
    `ten workflows: ${(median(ten.toSorted((a, b) => a - b)) - median(none.toSorted((a, b) => a - b))).toFixed(1)} ms more than none`,
  );
}

function median(sorted: readonly number[]): number {
  const middle = sorted.length / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle) - 1] ?? 0)) / 2;
}

async function repositoryWith(on: string): Promise<string> {
  const name = `bench-${Date.now()}-${Math.floor(Math.random() * 1e6)}`;
  const { full_name: path } = await call<{ full_name: string }>('POST', '/user/repos', { name, auto_init: true, default_branch: 'main' });
  if (!on) return path;
  const steps = '    steps:\n      - uses: actions/checkout@v4\n      - run: npm ci\n      - run: npm test\n';
  const files = Array.from({ length: 10 }, (_, at) => ({
    operation: 'create',
    path: `.gitea/workflows/w${at}.yml`,
    content: Buffer.from(`name: W${at}\non: ${on}\njobs:\n  build:\n    runs-on: ubuntu-latest\n${steps}`).toString('base64'),
  }));
  await call('POST', `/repos/${path}/contents`, { files, message: 'Workflows' });
  return path;
}

async function change(path: string, name: string): Promise<void> {
  await call('POST', `/repos/${path}/contents/f${name}.txt`, { content: Buffer.from(name).toString('base64'), message: `Add ${name}` });
}

/** Waits until the server does next to nothing any more. */
async function untilQuiet(): Promise<void> {
  for (let quiet = 0; quiet < 3; ) quiet = (await rate(0.5)) < 60 ? quiet + 1 : 0;
}

async function measureIdle(count: number): Promise<void> {
  const idle = await rate(10);
  const { token } = await call<{ token: string }>('POST', '/admin/actions/runners/registration-token');
  const ended = new AbortController();
  const runners: Promise<void>[] = [];
  for (let number = 0; number < count; number++) runners.push(wait(await register(token, number), ended.signal));
  await sleep(15_000);
  const busy = await rate(60);
  console.log(`${count} idle runners: ${((busy - idle) / 10).toFixed(2)} % of a core; each ${((busy - idle) / 10 / count).toFixed(4)} %`);
  ended.abort();
  await Promise.allSettled(runners);
}

interface Runner {
  readonly id: number;
  readonly uuid: string;
  readonly token: string;
}

async function register(token: string, number: number): Promise<Runner> {
  const response = await fetch(new URL('api/actions/runner.v1.RunnerService/Register', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: `bench ${number}`, token, labels: ['bench'] }),
  });
  return ((await response.json()) as { runner: Runner }).runner;
}

/** Asks for jobs until the signal is aborted; then the runner is removed. */
async function wait({ id, uuid, token }: Runner, signal: AbortSignal): Promise<void> {
  const headers = {
    'content-type': 'application/proto',
    'connect-protocol-version': '1',
    'connect-timeout-ms': '5000',
    'x-runner-uuid': uuid,
    'x-runner-token': token,
  };
  // The message has one number, `tasks_version`; without a task the response has it under 2. Both are kept as they are.
  let version = Buffer.from([0]);
  while (!signal.aborted) {
    const body = Buffer.concat([Buffer.from([0x08]), version]);
    const response = await fetch(new URL('api/actions/runner.v1.RunnerService/FetchTask', url), { method: 'POST', headers, body });
    const bytes = Buffer.from(await response.arrayBuffer());
    if (!response.ok) throw new Error(`a runner got ${response.status}`);
    if (bytes[0] === 0x10) version = bytes.subarray(1);
    await sleep(5000 * (0.8 + 0.4 * Math.random()), undefined, { signal }).catch(() => {});
  }
  await call('DELETE', `/admin/actions/runners/${id}`);
}
