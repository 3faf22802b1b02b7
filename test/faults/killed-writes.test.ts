import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { runGit } from '../../src/git/process.ts';
import { Client } from '../support/client.ts';

/*
 * The server is killed, without a word, while it takes pushes and changes. What it had acknowledged is there when it is up again,
 * the repository is sound, can be written to, and the database says what git says.
 */

const ROUNDS = 2;
const PASSWORD = 'Test-Passw0rd';
const folder = await mkdtemp(join(tmpdir(), 'copse-killed-'));
const port = await freePort();
const url = `http://127.0.0.1:${port}/`;
const root = new Client(() => url, { name: 'root', password: PASSWORD });
let server: ChildProcess | undefined;

after(async () => {
  server?.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (typeof address !== 'object' || !address) throw new Error('no port');
  return address.port;
}

async function start(): Promise<void> {
  server = spawn(process.execPath, ['src/main.ts', 'serve'], {
    stdio: 'ignore',
    env: {
      PATH: process.env.PATH,
      COPSE_DATA_DIR: join(folder, 'data'),
      COPSE_PORT: String(port),
      COPSE_ADMIN_USERNAME: 'root',
      COPSE_ADMIN_PASSWORD: PASSWORD,
    },
  });
  for (let wait = 0; wait < 300; wait++) {
    const up = await fetch(`${url}api/healthz`).catch(() => undefined);
    if (up?.ok) return;
    await sleep(100);
  }
  throw new Error('the server did not start');
}

async function kill(): Promise<void> {
  const gone = new Promise((resolve) => server?.once('exit', resolve));
  server?.kill('SIGKILL');
  await gone;
}

/** Does something again and again until the server is gone; answers what was acknowledged. */
async function until<T>(act: (n: number) => Promise<T | undefined>, stopped: () => boolean): Promise<T[]> {
  const done: T[] = [];
  for (let n = 0; !stopped(); n++) {
    const result = await act(n).catch(() => undefined);
    if (result !== undefined) done.push(result);
  }
  return done;
}

it('keeps every acknowledged push and change over kills', async () => {
  await start();
  await root.must('POST', '/user/repos', { name: 'demo', auto_init: true, default_branch: 'main' });
  const work = join(folder, 'work');
  await root.git(['clone', '-q', root.remote('root/demo'), work], folder);
  const base = (await root.git(['rev-parse', 'HEAD'], work)).stdout.trim();
  const files = new Map<string, string>();
  const branches = new Map<string, string>();

  for (let round = 0; round < ROUNDS; round++) {
    let dead = false;
    const stopped = () => dead;
    const changes = until(async (n) => {
      const path = `file-${round}-${n}.txt`;
      const { status, json } = await root.post(`/repos/root/demo/contents/${path}`, { content: '' });
      return status === 201 ? { path, sha: String(json.commit.sha) } : undefined;
    }, stopped);
    const made = until(async (n) => {
      const name = `made-${round}-${n}`;
      const { status, json } = await root.post('/repos/root/demo/branches', { new_branch_name: name, old_ref_name: base });
      return status === 201 ? { name, sha: String(json.commit.id) } : undefined;
    }, stopped);
    const pushed = until(async (n) => {
      const name = `pushed-${round}-${n}`;
      const { stdout } = await root.git(['commit-tree', '-p', base, '-m', name, `${base}^{tree}`], work);
      const sha = stdout.trim();
      const { code } = await root.git(['push', '-q', 'origin', `${sha}:refs/heads/${name}`], work);
      return code === 0 ? { name, sha } : undefined;
    }, stopped);
    await sleep(700 + 300 * round);
    await kill();
    dead = true;
    for (const { path, sha } of await changes) files.set(path, sha);
    for (const { name, sha } of [...(await made), ...(await pushed)]) branches.set(name, sha);
    await start();
    await verify(files, branches);
  }
  assert.ok(files.size > 0 && branches.size > 0);
});

async function verify(files: ReadonlyMap<string, string>, branches: ReadonlyMap<string, string>): Promise<void> {
  const { id, empty } = await root.must('GET', '/repos/root/demo');
  assert.equal(empty, false);
  const path = join(folder, 'data', 'repositories', (id % 256).toString(16).padStart(2, '0'), `${id}.git`);
  const git = async (...args: string[]) => (await runGit(args, { cwd: path })).stdout.toString();
  assert.equal(await git('fsck', '--full', '--strict', '--no-dangling'), '');
  const onMain = new Set((await git('rev-list', 'main')).split('\n'));
  const listed = new Set((await git('ls-tree', '--name-only', 'main')).split('\n'));
  for (const [file, sha] of files) assert.ok(listed.has(file) && onMain.has(sha), `${file} is lost`);
  const refs = new Map(
    (await git('for-each-ref', '--format=%(refname:strip=2) %(objectname)', 'refs/heads'))
      .trim()
      .split('\n')
      .map((line): [string, string] => {
        const [name = '', sha = ''] = line.split(' ');
        return [name, sha];
      }),
  );
  for (const [name, sha] of branches) assert.equal(refs.get(name), sha, `${name} is lost`);
  assert.equal((await git('for-each-ref', '--format=%(refname)', 'refs/heads')).trim().split('\n').length, refs.size);
  const database = new DatabaseSync(join(folder, 'data', 'copse.db'), { readOnly: true });
  const row = database.prepare('select branches_count, (select count(*) from ref_moves) as announced from repositories').get();
  database.close();
  assert.deepEqual({ ...row }, { branches_count: refs.size, announced: 0 });
  // The branch that was being written to when the server died takes the next change.
  await root.must('POST', '/repos/root/demo/contents/after', { content: '', new_branch: `after-${refs.size}` });
  await root.must('POST', `/repos/root/demo/contents/again-${refs.size}`, { content: '' });
  const { headers } = await root.get('/repos/root/demo/branches?limit=1');
  assert.equal(Number(headers.get('x-total-count')), refs.size + 1);
}
