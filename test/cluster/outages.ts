import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { eventually } from '../support/eventually.ts';
import { checkAll } from './load/checks.ts';
import { Load, type LoadWritten } from './load/load.ts';
import type { Failure } from './load/tracked-client.ts';
import { Cluster } from './support/cluster.ts';

/*
 * Processes behind HAProxy take changes of all kinds while PostgreSQL is restarted, PostgreSQL is away for half a minute, and the S3 server is
 * away for half a minute. What fails meanwhile has to fail with 503 and `Retry-After`; afterwards everything goes on by itself, and all that
 * was acknowledged is there.
 *
 *     node test/cluster/outages.ts [--seconds 30] [--processes 2]
 */
const { values: flags } = parseArgs({
  options: { seconds: { type: 'string', default: '30' }, processes: { type: 'string', default: '2' } },
});
const SECONDS = Number(flags.seconds);
/** Milliseconds of load before and after each outage. */
const BETWEEN_MS = 10_000;

const cluster = await Cluster.start({ processes: Number(flags.processes) });
try {
  await outages();
} finally {
  await cluster.close();
}
process.exit();

async function outages(): Promise<void> {
  const { postgres, s3 } = cluster;
  assert.ok(postgres);
  const load = await Load.prepare(cluster);
  load.start();
  await sleep(BETWEEN_MS);
  await duringOutage(load, 'PostgreSQL is restarted', async () => {
    await postgres.stop();
    await postgres.start();
  });
  await duringOutage(load, `PostgreSQL is away for ${SECONDS} s`, async () => {
    await postgres.stop();
    await sleep(1000 * SECONDS);
    await postgres.start();
  });
  await duringOutage(load, `the S3 server is away for ${SECONDS} s`, async () => {
    await s3.stop();
    const before = load.written.issues.size;
    await sleep(1000 * SECONDS);
    assert.ok(load.written.issues.size > before, 'what needs no S3 server has to go on');
    await s3.start();
  });
  await load.stop();
  await checkAll(cluster, load);
  load.receiver.close();
  const bad = load.client.failures.filter((failure) => !isHonest(failure));
  assert.equal(bad.length, 0, 'requests have failed without saying when to try again');
  console.log(`${load.acknowledged} acknowledged writes, none lost; the doctor finds nothing`);
}

/** Resolves when every kind of write has succeeded again. */
async function duringOutage(load: Load, what: string, outage: () => Promise<void>): Promise<void> {
  const { failures } = load.client;
  const first = failures.length;
  await outage();
  const began = performance.now();
  const before = sizesOf(load.written);
  await eventually(() => sizesOf(load.written).every((size, index) => size > (before[index] ?? 0)), 'writes of all kinds');
  const recovered = Math.round(performance.now() - began);
  const last = Math.max(0, ...failures.slice(first).map(({ to }) => Math.round(to - began)));
  await sleep(BETWEEN_MS);
  const own = failures.slice(first);
  const bad = own.filter((failure) => !isHonest(failure));
  console.log(`${what}: ${own.length} failures, the last ${last} ms after it; all kinds of writes again after ${recovered} ms`);
  for (const { what } of bad) console.log(`  ${what}`);
}

function sizesOf(written: LoadWritten): number[] {
  return Object.values(written).map(({ size }) => size);
}

/** It says that it was not done, and when to try again; git says only the status, or why refs were not moved. */
function isHonest({ isRetryable, what }: Failure): boolean {
  return isRetryable || /^git push: [\s\S]*(error: 503|remote rejected)/.test(what);
}
