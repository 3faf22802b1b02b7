import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { after, it } from 'node:test';
import { runGit } from '../../src/git/process.ts';
import { Client } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';

/*
 * The server is killed, without a word, while it takes pushes and changes. What it had acknowledged is there when it is up again,
 * the repository is sound, can be written to, and the database says what git says.
 */

const ROUNDS = 2;
/** Writes of each kind before it is killed amid the next ones. */
const ACKNOWLEDGED = 3;
const PASSWORD = 'Test-Passw0rd';
const folder = await mkdtemp(join(tmpdir(), 'copse-killed-'));
/** Where the server is, which has another port after each start. */
let url = '';
const root = new Client(() => url, { name: 'root', password: PASSWORD });
let server: ChildProcess | undefined;

after(async () => {
  server?.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

async function start(): Promise<void> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  server = spawn(process.execPath, ['src/main.ts', 'serve'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {
      PATH,
      ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }),
      COPSE_DATA_DIR: join(folder, 'data'),
      COPSE_HOST: '127.0.0.1',
      COPSE_PORT: '0',
      COPSE_ADMIN_USERNAME: 'root',
      COPSE_ADMIN_PASSWORD: PASSWORD,
    },
  });
  const { stdout } = server;
  assert.ok(stdout);
  const told = await new Promise<string>((resolve, reject) => {
    createInterface({ input: stdout })
      .on('line', (line) => line.includes('"serving"') && resolve(line))
      .on('close', () => reject(new Error('the server did not start')));
  });
  url = String(JSON.parse(told).url);
}

async function kill(): Promise<void> {
  const gone = new Promise((resolve) => server?.once('exit', resolve));
  server?.kill('SIGKILL');
  await gone;
}

/** Does something again and again until the server is gone; `done` is what was acknowledged. */
function again<T>(act: (n: number) => Promise<T | undefined>, stopped: () => boolean): { done: T[]; ended: Promise<void> } {
  const done: T[] = [];
  const run = async () => {
    for (let n = 0; !stopped(); n++) {
      const result = await act(n).catch(() => undefined);
      if (result !== undefined) done.push(result);
    }
  };
  return { done, ended: run() };
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
    const changes = again(async (n) => {
      const path = `file-${round}-${n}.txt`;
      const { status, json } = await root.post(`/repos/root/demo/contents/${path}`, { content: '' });
      return status === 201 ? { path, sha: String(json.commit.sha) } : undefined;
    }, stopped);
    const made = again(async (n) => {
      const name = `made-${round}-${n}`;
      const { status, json } = await root.post('/repos/root/demo/branches', { new_branch_name: name, old_ref_name: base });
      return status === 201 ? { name, sha: String(json.commit.id) } : undefined;
    }, stopped);
    const pushed = again(async (n) => {
      const name = `pushed-${round}-${n}`;
      const { stdout } = await root.git(['commit-tree', '-p', base, '-m', name, `${base}^{tree}`], work);
      const sha = stdout.trim();
      const { code } = await root.git(['push', '-q', root.remote('root/demo'), `${sha}:refs/heads/${name}`], work);
      return code === 0 ? { name, sha } : undefined;
    }, stopped);
    const all = [changes, made, pushed];
    await eventually(() => all.every(({ done }) => done.length >= ACKNOWLEDGED), 'writes');
    await kill();
    dead = true;
    await Promise.all(all.map(({ ended }) => ended));
    for (const { path, sha } of changes.done) files.set(path, sha);
    for (const { name, sha } of [...made.done, ...pushed.done]) branches.set(name, sha);
    await start();
    await verify(files, branches);
  }
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
