import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { waitUntilClean } from '../faults/kills/checks.ts';
import { checkAll } from './load/checks.ts';
import { Load } from './load/load.ts';
import type { Failure } from './load/tracked-client.ts';
import { Cluster } from './support/cluster.ts';
import type { Member } from './support/member.ts';
import { oneOf } from './support/work.ts';

/*
 * Three processes behind HAProxy take pushes, merges, comments, packages, issues and new repositories. Every 20 s one of them is killed, every
 * 30 s one is restarted as an operator does it. In the end all that was acknowledged has to be there and sound, each event has come, and no
 * request has failed but those that were under way at a process when it was killed.
 *
 *     node test/cluster/kills.ts [--minutes 10] [--processes 3] [--database postgres://…]
 */
const KILL_MS = 20_000;
const RESTART_MS = 30_000;
/** Could be those of a living process that writes to the same repository: maintenance removes them when they are an hour old. */
const UNFINISHED_OBJECTS = /\/objects\/(.*\/)?tmp_/;

const { values: flags } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    processes: { type: 'string', default: '3' },
    database: { type: 'string' },
  },
});
const { database } = flags;
const cluster = await Cluster.start({ processes: Number(flags.processes), ...(database && { database }) });
try {
  await kills(1000 * 60 * Number(flags.minutes));
} finally {
  await cluster.close();
}
process.exit();

/** A process that was ended. Times are of `performance.now()`. */
interface Ending {
  readonly index: number;
  readonly signal: 'SIGKILL' | 'SIGTERM';
  readonly from: number;
  /** When it was gone: for a killed process some milliseconds later, in which requests still reach it. */
  to: number;
}

async function kills(milliseconds: number): Promise<void> {
  const load = await Load.prepare(cluster);
  const endings: Ending[] = [];
  const busy = new Set<Member>();
  const end = performance.now() + milliseconds;
  const repeat = async (signal: Ending['signal'], every: number) => {
    for (let next = performance.now() + every; next < end; next += every) {
      await sleep(Math.max(0, next - performance.now()));
      const member = oneOf(cluster.members.filter((member) => !busy.has(member)));
      busy.add(member);
      const ending: Ending = { index: cluster.members.indexOf(member) + 1, signal, from: performance.now(), to: Number.POSITIVE_INFINITY };
      endings.push(ending);
      await member.end(signal);
      ending.to = performance.now();
      await member.start();
      busy.delete(member);
      console.log(
        `${signal} at ${Math.round(ending.from)} to ${Math.round(ending.to)} ms: ${load.acknowledged} writes, ${load.client.failures.length} failures`,
      );
    }
  };
  load.start();
  await Promise.all([repeat('SIGKILL', KILL_MS), repeat('SIGTERM', RESTART_MS)]);
  await sleep(Math.max(0, end - performance.now()));
  await load.stop();
  const { failures, succeeded } = load.client;
  const unexplained = failures.filter((failure) => !isOfKill(failure, endings));
  for (const { what, from, to } of unexplained) console.log(`${Math.round(from)} to ${Math.round(to)} ms: ${what}`);
  for (const line of await failuresAtProxy(endings)) console.log(line);
  const clean = await waitUntilClean(cluster, performance.now(), UNFINISHED_OBJECTS);
  console.log(`${succeeded} requests, ${load.acknowledged} acknowledged writes; locks and temporary files are gone after ${clean} ms`);
  await checkAll(cluster, load);
  load.receiver.close();
  assert.equal(unexplained.length, 0, 'requests have failed that were not at a process when it was killed');
  const count = (signal: Ending['signal']) => endings.filter((ending) => ending.signal === signal).length;
  console.log(
    `${count('SIGKILL')} kills, ${count('SIGTERM')} restarts: nothing lost, ${failures.length} requests failed with a process that was killed`,
  );
}

/** Whether a request was under way when a process was killed. */
function isOfKill({ from, to }: Failure, endings: readonly Ending[]): boolean {
  return endings.some((ending) => ending.signal === 'SIGKILL' && from <= ending.to && ending.from <= to);
}

/** Failures that the proxy has logged of processes that were never killed; its flags say how a request ended, `----` if well. */
async function failuresAtProxy(endings: readonly Ending[]): Promise<string[]> {
  const lines = (await readFile(join(cluster.folder, 'haproxy.log'), 'utf8'))
    .split('\n')
    .filter((line) => / copse\/copse\d .* (?!----)[A-Za-z-]{4} /.test(line));
  const killed = new Set(endings.filter(({ signal }) => signal === 'SIGKILL').map(({ index }) => `copse${index}`));
  return lines.filter((line) => !killed.has(/ copse\/(copse\d) /.exec(line)?.[1] ?? ''));
}
