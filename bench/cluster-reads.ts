import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Cluster } from '../test/cluster/support/cluster.ts';
import { processorTimeOf } from './processor-time.ts';

/*
 * Reads per second, and the processor time of a read, with one, two and three processes on the same machine and database: several processes
 * must not cost more than one. The processes are read in turns without a proxy, so that its time is not counted. `--database` and
 * `--database-pid` count PostgreSQL's time, too.
 *
 *     node bench/cluster-reads.ts [--seconds 10] [--rounds 3] [--clients 8] [--rate 100]
 *
 * With `--rate` each process that is read gets so many reads a second: a read is the cheaper the busier its process is, so that processes
 * are compared at the same load of each. Without it reads come as fast as they are answered.
 *
 * Linux alone (`/proc`).
 */
const { values: flags } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '3' },
    clients: { type: 'string', default: '8' },
    processes: { type: 'string', default: '3' },
    rate: { type: 'string', default: '0' },
  },
});
const [seconds, rounds, clients, most, rate] = [flags.seconds, flags.rounds, flags.clients, flags.processes, flags.rate].map(Number) as [
  number,
  number,
  number,
  number,
  number,
];
const REPOSITORY = '/api/v1/repos/root/demo';
const PATHS = [REPOSITORY, `${REPOSITORY}/branches`, `${REPOSITORY}/contents/README.md`, `${REPOSITORY}/issues`, `${REPOSITORY}/commits`];

const cluster = await Cluster.start({ processes: most, settings: { COPSE_LOG_LEVEL: 'warn' } });
try {
  await cluster.root.must('POST', '/user/repos', { name: 'demo', auto_init: true, default_branch: 'main' });
  for (let n = 0; n < 30; n++) await cluster.root.must('POST', '/repos/root/demo/issues', { title: `issue ${n}`, body: 'text' });
  const urls = cluster.members.map(({ url }) => url);
  await measure(urls, 3);
  const results = new Map<number, Measured[]>();
  // In turns, since what else the machine does changes with time.
  for (let round = 0; round < rounds; round++) {
    for (let count = 1; count <= most; count++) {
      const measured = await measure(urls.slice(0, count), seconds);
      results.set(count, [...(results.get(count) ?? []), measured]);
    }
  }
  const [one = 0] = [...results.values()].map((all) => lowest(all));
  for (const [count, all] of results) {
    const milliseconds = lowest(all);
    const perSecond = Math.max(...all.map((measured) => measured.perSecond));
    console.log(
      `${count} processes: ${perSecond.toFixed(0)} reads/s, ${milliseconds.toFixed(2)} ms each, ${(milliseconds / one).toFixed(2)} of one`,
    );
  }
} finally {
  await cluster.close();
}
process.exit();

interface Measured {
  readonly perSecond: number;
  /** Processor time of a read in all processes, those that were not asked included. */
  readonly milliseconds: number;
}

function lowest(all: readonly Measured[]): number {
  return Math.min(...all.map(({ milliseconds }) => milliseconds));
}

async function measure(urls: readonly string[], seconds: number): Promise<Measured> {
  const pids = cluster.members.map(({ pid }) => String(pid));
  const before = processorTimeOf(pids);
  const began = performance.now();
  const end = began + 1000 * seconds;
  let requests = 0;
  const read = async () => {
    while (performance.now() < end) {
      const turn = requests++;
      if (rate > 0) await sleep(Math.max(0, began + (1000 * turn) / (rate * urls.length) - performance.now()));
      const response = await fetch(new URL(PATHS[turn % PATHS.length] ?? '', urls[turn % urls.length]));
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`${response.url} answered ${response.status}`);
    }
  };
  await Promise.all(Array.from({ length: clients }, read));
  const milliseconds = (processorTimeOf(pids) - before) / requests;
  return { perSecond: (1000 * requests) / (performance.now() - began), milliseconds };
}
