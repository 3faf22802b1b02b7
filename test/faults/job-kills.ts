import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import type { Client } from '../support/client.ts';
import { LoopingRunner } from './kills/runner.ts';
import { KilledServer } from './kills/server.ts';

/*
 * Lets runners take many jobs from two servers on one PostgreSQL, which are killed in turns meanwhile, and looks whether each job ran
 * once.
 *
 *     node test/faults/job-kills.ts --database postgres://… [--jobs 500] [--runners 50] [--kills 10]
 *
 * The database has to be empty. A job whose response was lost in a kill comes back after a minute.
 */

/** What {@link jobKills} is told. */
export interface JobKillOptions {
  /** An empty PostgreSQL database. */
  database: string;
  jobs: number;
  runners: number;
  kills: number;
  /** Milliseconds after which what was lost in a kill counts as old; as long as it takes without. */
  ageLost?: number;
}

/** Jobs of one workflow. */
const MATRIX = 100;
/** Milliseconds between kills. */
const PAUSE = 1500;

/** Runs the jobs, and fails unless each has run once. Returns what happened in one line. */
export async function jobKills({ database, jobs, runners, kills, ageLost }: JobKillOptions): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'copse-job-kills-'));
  const servers = [new KilledServer(folder, database), new KilledServer(folder, database)];
  const db = new pg.Client({ connectionString: database });
  const looping: LoopingRunner[] = [];
  try {
    for (const server of servers) await server.start('process');
    await db.connect();
    const [first] = servers;
    assert.ok(first);
    await queueJobs(first.root, jobs);
    const { token } = await first.root.must('POST', '/admin/actions/runners/registration-token');
    for (let number = 0; number < runners; number++) looping.push(await LoopingRunner.register(servers, token, number));
    const counts = async () => {
      const { rows } = await db.query<{ status: string; count: string }>('select status, count(*) from action_jobs group by status');
      return Object.fromEntries(rows.map(({ status, count }) => [status, Number(count)]));
    };
    assert.deepEqual(await counts(), { waiting: jobs });
    for (const runner of looping) runner.start();
    const start = performance.now();
    for (let kill = 0; kill < kills && (await counts()).success !== jobs; kill++) {
      await sleep(PAUSE);
      const server = servers[kill % 2];
      await server?.kill();
      await server?.start('process');
    }
    const isOver = async () => !Object.keys(await counts()).some((status) => ['waiting', 'blocked', 'running'].includes(status));
    while (!(await isOver())) {
      await sleep(ageLost ?? 500);
      if (ageLost !== undefined) await age(db);
    }
    const seconds = (performance.now() - start) / 1000;
    await Promise.all(looping.map((runner) => runner.stop()));
    const ran = looping.flatMap((runner) => runner.ran);
    assert.deepEqual(await counts(), { success: jobs });
    assert.equal(new Set(ran).size, jobs, 'each job ran');
    assert.equal(ran.length, jobs, 'none ran twice');
    const { rows } = await db.query<{ count: string }>(`select count(*) from action_tasks where status = 'cancelled'`);
    return `${jobs} jobs, ${runners} runners, ${kills} kills: none lost, none run twice; ${rows[0]?.count} given again, ${seconds.toFixed(0)} s`;
  } finally {
    await Promise.all(looping.map((runner) => runner.stop()));
    await db.end();
    for (const server of servers) await server.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Makes what no runner has spoken of old enough to be given again. */
async function age(db: pg.Client): Promise<void> {
  await db.query('update action_tasks set created_at = created_at - 100 where not has_reported');
  await db.query('update action_runners set given_at = given_at - 100');
}

/** Pushes workflows with so many jobs, and waits until they wait for runners. */
async function queueJobs(root: Client, jobs: number): Promise<void> {
  const { full_name: path } = await root.must('POST', '/user/repos', { name: 'queue', auto_init: true });
  const files = Array.from({ length: Math.ceil(jobs / MATRIX) }, (_, at) => {
    const numbers = Array.from({ length: Math.min(MATRIX, jobs - at * MATRIX) }, (_, number) => number);
    const text = `on: push\njobs:\n  a:\n    runs-on: linux\n    strategy: { matrix: { n: [${numbers.join(', ')}] } }\n    steps: [{ run: x }]\n`;
    return { operation: 'create', path: `.gitea/workflows/w${at}.yml`, content: Buffer.from(text).toString('base64') };
  });
  await root.must('POST', `/repos/${path}/contents`, { files, message: 'Jobs' });
  while ((await root.must('GET', `/repos/${path}/actions/jobs?limit=1`)).total_count < jobs) await sleep(200);
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      database: { type: 'string' },
      jobs: { type: 'string', default: '500' },
      runners: { type: 'string', default: '50' },
      kills: { type: 'string', default: '10' },
    },
  });
  const { database, ...numbers } = values;
  assert.ok(database, '--database names an empty PostgreSQL database');
  console.log(await jobKills({ database, jobs: Number(numbers.jobs), runners: Number(numbers.runners), kills: Number(numbers.kills) }));
}
