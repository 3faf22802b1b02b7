import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { apiOf } from './call-api.ts';

/**
 * `node bench/backup.ts [REPOSITORIES] [FOLDER]`: how long backups of an instance with so many repositories take while it is pushed to and written to,
 * how much older than the end of a backup its moment is (what would be lost, RPO), and how long it takes from an empty folder to the first
 * response of the restored instance (RTO). The database is SQLite, or DATABASE_URL and for the restored one BENCH_TARGET_URL, both empty.
 */
const [count = '1000', base = tmpdir()] = process.argv.slice(2);
const folder = mkdtempSync(join(base, 'copse-bench-backup-'));
const { DATABASE_URL, BENCH_TARGET_URL, PATH } = process.env;
const MAIN = join(import.meta.dirname, '../src/main.ts');
const LOGIN = { COPSE_ADMIN_USERNAME: 'bench', COPSE_ADMIN_PASSWORD: 'Bench-Passw0rd' };
const authorization = `Basic ${btoa(`bench:${LOGIN.COPSE_ADMIN_PASSWORD}`)}`;

const environmentOf = (dataDir: string, database: string | undefined) => ({
  PATH,
  ...LOGIN,
  COPSE_DATA_DIR: dataDir,
  COPSE_PORT: '0',
  COPSE_SSH_PORT: '0',
  COPSE_LOG_LEVEL: 'info',
  ...(database && { DATABASE_URL: database }),
});

interface Running {
  readonly child: ChildProcess;
  readonly url: string;
}

/** Starts a server; resolves when it listens. */
async function serve(environment: NodeJS.ProcessEnv): Promise<Running> {
  const child = spawn(process.execPath, [MAIN, 'serve'], { env: environment, stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /"(http:\/\/[^"]+)"/.exec(line)?.[1];
    if (url === undefined) continue;
    child.stdout.resume();
    return { child, url };
  }
  throw new Error('the server did not start');
}

async function stop({ child }: Running): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

const name = (number: number) => `repository-${number}`;

/** Makes the repositories: each tenth with a push of some files, all with an issue. */
async function fill(url: string): Promise<void> {
  const call = apiOf(url, authorization);
  const tree = join(folder, 'tree');
  const git = (...args: string[]) => execFileSync('git', ['-C', tree, ...args], { stdio: 'pipe' });
  execFileSync('git', ['init', '-q', '-b', 'pushed', tree]);
  mkdirSync(join(tree, 'src'));
  for (let file = 0; file < 100; file++) writeFileSync(join(tree, 'src', `${file}.txt`), `${Math.random()}\n`.repeat(200));
  git('add', '.');
  git('-c', 'user.name=bench', '-c', 'user.email=bench@example.com', 'commit', '-qm', 'fill');
  let next = 0;
  const worker = async () => {
    for (let number = next++; number < Number(count); number = next++) {
      await call('POST', '/user/repos', { name: name(number), auto_init: true });
      await call('POST', `/repos/bench/${name(number)}/issues`, { title: 'An issue', body: 'with a text '.repeat(50) });
      if (number % 10 === 0) await promisify(execFile)('git', ['-C', tree, 'push', '-q', remote(url, number), 'pushed']);
    }
  };
  await Promise.all([worker(), worker(), worker(), worker()]);
}

function remote(url: string, number: number): string {
  return new URL(`bench/${name(number)}.git`, url.replace('//', `//bench:${LOGIN.COPSE_ADMIN_PASSWORD}@`)).href;
}

/** Commits and comments until it is told to stop; returns how many requests there were. */
function load(url: string): () => Promise<number> {
  const call = apiOf(url, authorization);
  let isOver = false;
  let requests = 0;
  const worker = async () => {
    while (!isOver) {
      const repository = name(Math.floor(Math.random() * Number(count)));
      const content = btoa(String(Math.random()));
      await call('POST', `/repos/bench/${repository}/contents/file-${Math.random()}`, { content, message: 'load' });
      await call('POST', `/repos/bench/${repository}/issues/1/comments`, { body: 'load' });
      requests += 2;
    }
  };
  const workers = Promise.all([worker(), worker()]);
  return async () => {
    isOver = true;
    await workers;
    return requests;
  };
}

async function copse(environment: NodeJS.ProcessEnv, ...args: string[]): Promise<{ seconds: number; last: string }> {
  const began = performance.now();
  const { stdout } = await promisify(execFile)(process.execPath, [MAIN, ...args], { env: environment, maxBuffer: 2 ** 26 });
  return { seconds: (performance.now() - began) / 1000, last: stdout.trim().split('\n').at(-1) ?? '' };
}

const print = (what: string, { seconds, last }: { seconds: number; last: string }) =>
  process.stdout.write(`${what}: ${seconds.toFixed(1)} s; ${last.replace(/^\S+: /, '')}\n`);

const source = environmentOf(join(folder, 'source'), DATABASE_URL);
const target = environmentOf(join(folder, 'target'), BENCH_TARGET_URL);
const backups = join(folder, 'backups');
const server = await serve(source);
try {
  const began = performance.now();
  await fill(server.url);
  process.stdout.write(`filled ${count} repositories in ${((performance.now() - began) / 1000).toFixed(0)} s\n`);
  const endLoad = load(server.url);
  const loaded = performance.now();
  print('first backup', await copse(source, 'backup', '--to', backups));
  print('second backup', await copse(source, 'backup', '--to', backups));
  const requests = await endLoad();
  process.stdout.write(`load meanwhile: ${(requests / ((performance.now() - loaded) / 1000)).toFixed(0)} changes a second\n`);
  print('third backup, without load', await copse(source, 'backup', '--to', backups));
  const restoring = performance.now();
  print('restore', await copse(target, 'restore', '--from', backups));
  const restored = await serve(target);
  await apiOf(restored.url, authorization)('GET', `/repos/bench/${name(0)}/branches`);
  process.stdout.write(`from nothing to the first response: ${((performance.now() - restoring) / 1000).toFixed(1)} s\n`);
  await stop(restored);
  print('doctor', await copse(target, 'doctor'));
} finally {
  await stop(server);
  rmSync(folder, { recursive: true, force: true });
}
