import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { now } from '../src/clock.ts';
import { internalContext } from '../src/context.ts';
import { closeServices, openServices } from '../src/server.ts';
import { loadSettings } from '../src/settings.ts';
import { apiOf } from './call-api.ts';

/*
 * `node bench/event-loop.ts [FILES WATCHERS PUSH_MB MARKDOWN_KB]`, by default 5000 5000 200 500: how long others wait for `GET /version`
 * while eight clients render Markdown, one compares many files, one opens issues in a repository that many watch, and one pushes. Starts
 * a server of its own on a scratch folder. `LOOP_PROFILE=1` tells by what its event loop was held.
 */
const [files = 5000, watchers = 5000, megabytes = 200, kilobytes = 500] = process.argv.slice(2).map(Number);

const run = promisify(execFile);
const root = join(import.meta.dirname, '..');
const scratch = await mkdtemp(join(tmpdir(), 'copse-loop-'));
const report = join(scratch, 'report.json');
const password = randomBytes(12).toString('base64url');
const port = await freePort();
const url = `http://127.0.0.1:${port}/`;
const environment = {
  PATH: process.env.PATH,
  HOME: scratch,
  COPSE_DATA_DIR: join(scratch, 'data'),
  COPSE_PORT: String(port),
  COPSE_SSH_PORT: '0',
  COPSE_LOG_LEVEL: 'warn',
  COPSE_ADMIN_USERNAME: 'root',
  COPSE_ADMIN_PASSWORD: password,
  LOOP_REPORT: report,
  ...(process.env.LOOP_PROFILE && { LOOP_PROFILE: '1' }),
};

let server: ChildProcess | undefined;
try {
  server = await serve();
  const call = apiOf(url, `Basic ${btoa(`root:${password}`)}`);
  const { sha1: token } = await call<{ sha1: string }>('POST', '/users/root/tokens', { name: 'bench', scopes: ['all'] });
  for (const name of ['files', 'large']) await call('POST', '/user/repos', { name });
  await seedFiles(token);
  const large = await makeLarge();
  await stop(server);
  await seedWatchers();
  server = await serve();
  await probe(500);
  const idle = await probe(2000);
  const load = spawn(process.execPath, [join(root, 'bench', 'event-loop-load.ts')], {
    env: { ...environment, LOAD_URL: url, LOAD_TOKEN: token, LOAD_MARKDOWN_BYTES: String(kilobytes * 1024), LOAD_PUSH_FOLDER: large },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => load.on('exit', resolve));
  const responses = load.stdout.toArray();
  server.kill('SIGUSR2');
  const times = await probe(ended);
  server.kill('SIGUSR2');
  await ended;
  await sleep(1000);
  const { busiest, ...loop } = JSON.parse(await readFile(report, 'utf8'));
  console.log(`idle:       ${line(idle)}`);
  console.log(`under load: ${line(times)}`);
  console.log(`event loop: p50 ${loop.p50}, p99 ${loop.p99}, max ${loop.max} ms`);
  console.log(`holds:      ${loop.holds} of more than 25 ms of processor time, the longest ${loop.longest} ms`);
  console.log(
    `requests:\n${Buffer.concat(await responses)
      .toString()
      .trimEnd()}`,
  );
  for (const { ms, stack } of busiest) console.log(`${String(ms).padStart(7)} ms  ${stack}`);
} finally {
  if (server) await stop(server);
  await rm(scratch, { recursive: true, force: true });
}

async function freePort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => listener.once('listening', resolve));
  const address = listener.address();
  await new Promise((resolve) => listener.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}

async function serve(): Promise<ChildProcess> {
  const monitor = join(root, 'bench', 'loop-monitor.ts');
  const child = spawn(join(root, 'bin', 'copse'), ['serve'], {
    env: { ...environment, NODE_OPTIONS: `--import=${monitor}` },
    stdio: 'inherit',
  });
  for (let tries = 0; tries < 600; tries++) {
    if (
      await fetch(`${url}api/v1/version`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return child;
    await sleep(100);
  }
  throw new Error('the server did not start');
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}

/** A branch on which every file of `main` has changed. */
async function seedFiles(token: string): Promise<void> {
  const folder = await repository('files');
  for (const [branch, text] of [
    ['main', 'before'],
    ['changed', 'after'],
  ] as const) {
    await run('git', ['checkout', '-q', '-b', branch], { cwd: folder });
    for (let at = 0; at < files; at++) {
      const place = join(folder, `folder${at % 50}`);
      if (at < 50) await mkdir(place, { recursive: true });
      await writeFile(join(place, `file${at}.txt`), `${at}\n${text}\n`);
    }
    await commit(folder, branch);
  }
  await run('git', ['push', '-q', `${url.replace('://', `://root:${token}@`)}root/files.git`, 'main', 'changed'], { cwd: folder });
}

/** What is pushed while it is measured: files that cannot be compressed. */
async function makeLarge(): Promise<string> {
  const folder = await repository('large');
  // What the client does to make the pack small is not what is measured, and would take most of the time.
  for (const [key, value] of [
    ['core.compression', '0'],
    ['core.bigFileThreshold', '512k'],
  ] as const) {
    await run('git', ['config', key, value], { cwd: folder });
  }
  const parts = 20;
  for (let at = 0; at < parts; at++) await writeFile(join(folder, `part${at}`), randomBytes(Math.ceil((megabytes * 1024 * 1024) / parts)));
  await commit(folder, 'large');
  return folder;
}

async function repository(name: string): Promise<string> {
  const folder = join(scratch, name);
  await run('git', ['init', '-q', folder]);
  return folder;
}

async function commit(folder: string, message: string): Promise<void> {
  await run('git', ['add', '-A'], { cwd: folder });
  const who = ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.com'];
  await run('git', [...who, 'commit', '-q', '-m', message], { cwd: folder });
}

/** People who watch, written past the interface while no server runs. */
async function seedWatchers(): Promise<void> {
  const services = await openServices(loadSettings({ environment }));
  const { db } = internalContext(services);
  const admin = await db.selectFrom('users').selectAll().where('lower_name', '=', 'root').executeTakeFirstOrThrow();
  const { id } = await db.selectFrom('repositories').select('id').where('lower_name', '=', 'files').executeTakeFirstOrThrow();
  const { id: _id, ...copied } = { ...admin, is_admin: false };
  for (let at = 0; at < watchers; at += 200) {
    const copies = Array.from({ length: Math.min(200, watchers - at) }, (_, index) => {
      const name = `watcher${at + index}`;
      return { ...copied, name, lower_name: name, email: `${name}@example.com` };
    });
    const users = await db.insertInto('users').values(copies).returning('id').execute();
    const rows = users.map((user) => ({ repository_id: id, user_id: user.id, mode: 'normal' as const, created_at: now() }));
    await db.insertInto('watches').values(rows).execute();
  }
  await closeServices(services);
}

/** Milliseconds of one request after the other, for so long. */
async function probe(until: number | Promise<unknown>): Promise<number[]> {
  let isOver = false;
  const end = typeof until === 'number' ? sleep(until) : until;
  void end.then(() => {
    isOver = true;
  });
  const times: number[] = [];
  while (!isOver) {
    const start = performance.now();
    await (await fetch(`${url}api/v1/version`)).arrayBuffer();
    times.push(performance.now() - start);
    await sleep(5);
  }
  return times;
}

function line(times: number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0).toFixed(1);
  return `p50 ${at(0.5)}, p99 ${at(0.99)}, max ${at(1)} ms of ${sorted.length} requests for /version`;
}
