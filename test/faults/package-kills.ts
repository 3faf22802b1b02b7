import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { addUpstream, hasPackage, type StubUpstream, stubUpstream } from '../packages/support/upstream.ts';
import type { Client } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { dice, SEED } from '../support/random.ts';
import { KilledServer } from './kills/server.ts';
import { PackageWork } from './package-kills/works.ts';

/*
 * Kills a server again and again while packages are published, sent in chunks, deleted, listed, fetched and cleaned up, and looks whether
 * what was acknowledged is there, indexes list what exists, uploads go on, and no temporary file is left.
 *
 *     node test/faults/package-kills.ts [--kills 10] [--database postgres://…]
 *
 * The database has to be empty; without one it is SQLite.
 */

/** Milliseconds of a round before the kill, at least and at most more. */
const SHORTEST = 500;
const LONGEST = 2500;
const EXPIRY_MS = 10_000;
/** Longer than a job waits that deletes the bytes of which a kill has deleted the rows. */
const JOBS_MS = 70_000;
/** Files that are older the doctor takes for stray. */
const DAYS_MS = 2 * 24 * 60 * 60 * 1000;

/** @throws AssertionError when anything acknowledged is lost, or anything is left but bytes that were stored right before a kill */
async function packageKills(kills: number, database: string | undefined): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'copse-package-kills-'));
  const server = new KilledServer(folder, database, {
    TMPDIR: folder,
    COPSE_OUTGOING_ALLOWED_HOSTS: 'localhost',
    COPSE_PACKAGES_UPSTREAMS: 'administrators',
    COPSE_PACKAGES_UNLINKED_EXPIRY: `${EXPIRY_MS}ms`,
  });
  const { root } = server;
  const work = new PackageWork(root);
  const roll = dice(SEED);
  try {
    await server.start('group');
    const stub = await stubUpstream();
    await addUpstream(root, 'root', { type: 'npm', url: stub.url, allow: ['far*'] });
    await root.must('POST', '/packages/root/cleanup-rules', { type: 'generic', enabled: true, remove_pattern: 'gone-.*', keep_count: 0 });
    const steps = [
      (name: string) => work.generic(name),
      (name: string) => work.npm(name),
      () => work.debian(),
      () => work.maven(),
      () => work.container(),
      (name: string) => fetchSlowly(root, stub, `far${name}`),
      (name: string) => root.send('PUT', `//api/packages/root/generic/gone/gone-${name}/file`, { raw: name }),
      () => root.must('POST', '/admin/cron/cleanup_packages').then(() => sleep(100)),
    ];
    for (let round = 0; round < kills; round++) {
      await repeatUntilKilled(server, steps, round, SHORTEST + roll(LONGEST));
      await server.start('group');
      await work.resumeAll();
      await work.verify();
      await eventually(async () => (await leftIn(folder, database !== undefined)).length === 0, 'the end of temporary files');
      console.log(`kill ${round + 1} of ${kills}: ${[...work.counts].map((count) => count.join(' ')).join(', ')}`);
    }
    await sleep(EXPIRY_MS);
    await root.must('POST', '/admin/cron/cleanup_packages');
    await sleep(JOBS_MS);
    await work.verify();
    await server.kill();
    await age(join(folder, 'data', 'storage'));
    const lines = (await server.command('doctor')).trim().split('\n');
    const stray = lines.filter((line) => line.endsWith('in the storage belongs to no package')).length;
    console.log(`${stray} contents were stored right before a kill; they belong to nothing`);
    assert.ok(stray <= kills * steps.length, lines.join('\n'));
  } finally {
    await server.kill();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Does all steps at once, again and again, then kills the server. What a living server refuses is an error. */
async function repeatUntilKilled(
  server: KilledServer,
  steps: readonly ((name: string) => Promise<unknown>)[],
  round: number,
  time: number,
): Promise<void> {
  let isDead = false;
  let n = 0;
  const errors: unknown[] = [];
  const repeat = async (step: (name: string) => Promise<unknown>) => {
    while (!isDead) await step(`${round}-${n++}`).catch((error: unknown) => !isDead && errors.push(error));
  };
  const repeated = steps.map(repeat);
  await sleep(time);
  isDead = true;
  await server.kill();
  await Promise.all(repeated);
  assert.deepEqual(errors, []);
}

/** Reads a package of another registry, which sends its document and its file in pieces. */
async function fetchSlowly(root: Client, stub: StubUpstream, name: string): Promise<void> {
  const data = Buffer.alloc(700_000, name);
  hasPackage({ ...stub, has: (path, content) => stub.has(path, inPieces(Buffer.from(content as string))) }, name, { '1.0.0': { data } });
  const { bytes } = await root.get(`//api/packages/root/npm/${name}/-/1.0.0/${name}-1.0.0.tgz`);
  assert.ok(bytes.equals(data));
}

function inPieces(bytes: Buffer): Parameters<StubUpstream['has']>[1] {
  return async (_, response) => {
    const length = Math.ceil(bytes.length / 8);
    for (let at = 0; at < bytes.length; at += length) {
      response.write(bytes.subarray(at, at + length));
      await sleep(60);
    }
    response.end();
  };
}

/** On PostgreSQL what was being stored stays for a day: another server may be storing it. */
async function leftIn(folder: string, isShared: boolean): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  return names.filter((name) => /upstream-documents\/.*\//.test(name) || (!isShared && name.includes('storage/tmp/')));
}

async function age(folder: string): Promise<void> {
  const time = new Date(Date.now() - DAYS_MS);
  for (const name of await readdir(folder, { recursive: true })) await utimes(join(folder, name), time, time);
}

const { values } = parseArgs({ options: { kills: { type: 'string', default: '10' }, database: { type: 'string' } } });
await packageKills(Number(values.kills), values.database);
process.exit();
