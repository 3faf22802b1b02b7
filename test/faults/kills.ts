import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs, promisify } from 'node:util';
import { runGit } from '../../src/git/process.ts';
import { Client } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';

/*
 * Kills a server again and again while it takes changes, and looks whether what it had acknowledged is there when it is up again, the
 * repository is sound and can be written to, no lock and no temporary file is left after ten seconds, and the doctor finds nothing.
 *
 *     node test/faults/kills.ts [--kills 25] [--database postgres://…] [--folder DIR]
 *
 * The database has to be empty; without one it is SQLite. Of four kills, two take the server alone, one its whole process group, and
 * one a PID namespace as a container has it, where every server has the same pid (as root on Linux; elsewhere a group instead).
 */

/** What {@link kills} is told. */
export interface KillOptions {
  kills: number;
  /** An empty PostgreSQL database; SQLite when left out. */
  database?: string;
  /** A folder on the disk that is meant; a temporary one when left out. */
  folder?: string;
  /** The first kind of kill, of {@link KINDS}. */
  first?: number;
  report?: (line: string) => void;
}

/** How it went, over all kills. */
export interface KillResult {
  acknowledged: number;
  /** Milliseconds from a start to the first answer, each. */
  ready: number[];
  /** Milliseconds from a start until locks and temporary files were gone, each. */
  clean: number[];
}

const KINDS = ['process', 'group', 'process', 'namespace'] as const;
/** Writes of each kind before it is killed amid the next ones. */
const ACKNOWLEDGED = 3;
const CLEAN_WITHIN_MS = 10_000;
const PASSWORD = 'Test-Passw0rd';
const MAIN = join(import.meta.dirname, '../../src/main.ts');

/** @throws AssertionError when anything acknowledged is lost, or anything is left */
export async function kills(options: KillOptions): Promise<KillResult> {
  const folder = await mkdtemp(join(options.folder ?? tmpdir(), 'copse-kills-'));
  const run = new Run(folder, options);
  try {
    return await run.all();
  } finally {
    await run.kill();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** What was acknowledged. */
interface Written {
  files: Map<string, string>;
  branches: Map<string, string>;
  repositories: Set<string>;
  issues: Set<number>;
}

class Run {
  readonly #folder: string;
  readonly #options: KillOptions;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #root: Client;
  readonly #written: Written = { files: new Map(), branches: new Map(), repositories: new Set(), issues: new Set() };
  #server: ChildProcess | undefined;
  #url = '';
  #kind: (typeof KINDS)[number] = 'process';

  constructor(folder: string, options: KillOptions) {
    this.#folder = folder;
    this.#options = options;
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    this.#environment = {
      PATH,
      NODE_COMPILE_CACHE: NODE_COMPILE_CACHE ?? join(import.meta.dirname, '../../node_modules/.cache/copse'),
      ...(options.database && { DATABASE_URL: options.database }),
      COPSE_DATA_DIR: join(folder, 'data'),
      COPSE_HOST: '127.0.0.1',
      COPSE_PORT: '0',
      COPSE_ADMIN_USERNAME: 'root',
      COPSE_ADMIN_PASSWORD: PASSWORD,
    };
    this.#root = new Client(() => this.#url, { name: 'root', password: PASSWORD });
  }

  async all(): Promise<KillResult> {
    const { kills, first = 0, report = () => {} } = this.#options;
    const result: KillResult = { acknowledged: 0, ready: [], clean: [] };
    const hasNamespaces = await canUnshare();
    await this.#start('process');
    await this.#root.must('POST', '/user/repos', { name: 'demo', auto_init: true, default_branch: 'main' });
    const work = join(this.#folder, 'work');
    await this.#root.git(['clone', '-q', this.#root.remote('root/demo'), work], this.#folder);
    const base = (await this.#root.git(['rev-parse', 'HEAD'], work)).stdout.trim();
    for (let round = 0; round < kills; round++) {
      await this.#write(round, work, base);
      const wanted = KINDS[(round + first + 1) % KINDS.length] ?? 'process';
      const began = performance.now();
      await this.#start(wanted === 'namespace' && !hasNamespaces ? 'group' : wanted);
      result.ready.push(Math.round(performance.now() - began));
      await this.#verify();
      result.clean.push(await this.#waitUntilClean(began));
      result.acknowledged = [...Object.values(this.#written)].reduce((sum, { size }) => sum + size, 0);
      report(
        `kill ${round + 1} of ${kills}: ready in ${result.ready.at(-1)} ms, clean in ${result.clean.at(-1)} ms, ${result.acknowledged} writes`,
      );
      await this.#writeAgain(round);
    }
    // Jobs remove the folders of creations that were taken back.
    await eventually(async () => (await this.#command('doctor')).trim() === 'nothing is wrong', 'the end of all repairs');
    await this.kill();
    assert.match((await this.#command('doctor', '--fsck')).trim(), /^nothing is wrong$/);
    return result;
  }

  async kill(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (!server?.pid) return;
    const gone = new Promise((resolve) => server.once('close', resolve));
    process.kill(this.#kind === 'process' ? server.pid : -server.pid, 'SIGKILL');
    await gone;
  }

  async #start(kind: (typeof KINDS)[number]): Promise<void> {
    const serve = [process.execPath, MAIN, 'serve'];
    const [command = '', ...args] = kind === 'namespace' ? ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child', ...serve] : serve;
    this.#kind = kind;
    this.#server = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'], env: this.#environment, detached: true });
    const { stdout } = this.#server;
    assert.ok(stdout);
    const told = await new Promise<string>((resolve, reject) => {
      createInterface({ input: stdout })
        .on('line', (line) => line.includes('"serving"') && resolve(line))
        .on('close', () => reject(new Error('the server did not start')));
    });
    this.#url = String(JSON.parse(told).url);
    assert.equal((await this.#root.get('/version')).status, 200);
  }

  /** Writes all kinds of things at once until some of each are acknowledged, then kills the server. */
  async #write(round: number, work: string, base: string): Promise<void> {
    const root = this.#root;
    const { files, branches, repositories, issues } = this.#written;
    let isDead = false;
    const again = (act: (name: string) => Promise<boolean>): { done: number; ended: Promise<void> } => {
      const kind = { done: 0, ended: Promise.resolve() };
      const repeat = async () => {
        for (let n = 0; !isDead; n++) if (await act(`${round}-${n}`).catch(() => false)) kind.done++;
      };
      kind.ended = repeat();
      return kind;
    };
    const all = [
      again(async (name) => {
        const { status, json } = await root.post(`/repos/root/demo/contents/file-${name}`, { content: '' });
        if (status === 201) files.set(`file-${name}`, String(json.commit.sha));
        return status === 201;
      }),
      again(async (name) => {
        const { status, json } = await root.post('/repos/root/demo/branches', { new_branch_name: `made-${name}`, old_ref_name: base });
        if (status === 201) branches.set(`made-${name}`, String(json.commit.id));
        return status === 201;
      }),
      again(async (name) => {
        const sha = (await root.git(['commit-tree', '-p', base, '-m', name, `${base}^{tree}`], work)).stdout.trim();
        const { code } = await root.git(['push', '-q', root.remote('root/demo'), `${sha}:refs/heads/pushed-${name}`], work);
        if (code === 0) branches.set(`pushed-${name}`, sha);
        return code === 0;
      }),
      again(async (name) => {
        const { status } = await root.post('/user/repos', { name: `made-${name}`, auto_init: true });
        if (status === 201) repositories.add(`made-${name}`);
        return status === 201;
      }),
      again(async (name) => {
        const { status, json } = await root.post('/repos/root/demo/issues', { title: name });
        if (status === 201) issues.add(Number(json.number));
        return status === 201;
      }),
    ];
    await eventually(() => all.every(({ done }) => done >= ACKNOWLEDGED), 'writes');
    await this.kill();
    isDead = true;
    await Promise.all(all.map(({ ended }) => ended));
  }

  async #verify(): Promise<void> {
    const { files, branches, repositories, issues } = this.#written;
    const { id, empty } = await this.#root.must('GET', '/repos/root/demo');
    assert.equal(empty, false);
    const path = join(this.#folder, 'data', 'repositories', (id % 256).toString(16).padStart(2, '0'), `${id}.git`);
    const git = async (...args: string[]) => (await runGit(args, { cwd: path })).stdout.toString();
    assert.equal(await git('fsck', '--full', '--strict', '--no-dangling'), '');
    const onMain = new Set((await git('rev-list', 'main')).split('\n'));
    const listed = new Set((await git('ls-tree', '--name-only', 'main')).split('\n'));
    for (const [file, sha] of files) assert.ok(listed.has(file) && onMain.has(sha), `${file} is lost`);
    const lines = (await git('for-each-ref', '--format=%(refname:strip=2) %(objectname)', 'refs/heads')).trim().split('\n');
    for (const [name, sha] of branches) assert.ok(lines.includes(`${name} ${sha}`), `${name} is lost`);
    for (const name of repositories) assert.equal((await this.#root.get(`/repos/root/${name}`)).status, 200, `${name} is lost`);
    for (const number of issues)
      assert.equal((await this.#root.get(`/repos/root/demo/issues/${number}`)).status, 200, `#${number} is lost`);
    // What the database counts is what git has, once the moves of the dead are known.
    const counted = async () => Number((await this.#root.get('/repos/root/demo/branches?limit=1')).headers.get('x-total-count'));
    await eventually(async () => (await counted()) === lines.length, 'the count of branches');
  }

  /** Answers the milliseconds since `began` after which no lock or temporary file was left. */
  async #waitUntilClean(began: number): Promise<number> {
    const root = join(this.#folder, 'data', 'repositories');
    for (;;) {
      const left = (await readdir(root, { recursive: true })).filter((name) =>
        /\.lock$|\/\.?tmp[_-][^/]*$|\.(new|removed)-[0-9a-f]{12}$/.test(name),
      );
      const passed = Math.round(performance.now() - began);
      if (left.length === 0) return passed;
      assert.ok(passed < 2 * CLEAN_WITHIN_MS, `${left.slice(0, 5)} stay`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** The branch and the names that were being written to take the next change. */
  async #writeAgain(round: number): Promise<void> {
    const name = `again-${round}`;
    const { commit } = await this.#root.must('POST', `/repos/root/demo/contents/${name}`, { content: '' });
    this.#written.files.set(name, commit.sha);
    for (let n = 0; n < 2 * ACKNOWLEDGED; n++) {
      const made = `made-${round}-${n}`;
      // On PostgreSQL it takes some seconds until the creator is found gone.
      await eventually(async () => {
        await this.#root.post('/user/repos', { name: made, auto_init: true });
        return (await this.#root.get(`/repos/root/${made}`)).status === 200;
      }, made);
    }
  }

  #command(...args: string[]): Promise<string> {
    return promisify(execFile)(process.execPath, [MAIN, ...args], { env: this.#environment }).then(({ stdout }) => stdout);
  }
}

async function canUnshare(): Promise<boolean> {
  return promisify(execFile)('unshare', ['--pid', '--fork', '--mount-proc', 'true']).then(
    () => true,
    () => false,
  );
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { kills: { type: 'string', default: '25' }, database: { type: 'string' }, folder: { type: 'string' } },
  });
  const { database, folder } = values;
  const report = (line: string) => void process.stdout.write(`${line}\n`);
  const { ready, clean, acknowledged } = await kills({
    kills: Number(values.kills),
    ...(database && { database }),
    ...(folder && { folder }),
    report,
  });
  const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
  report(`${ready.length} kills, ${acknowledged} acknowledged writes, none lost; the doctor finds nothing`);
  report(`ready in ${median(ready)} ms (at most ${Math.max(...ready)}), clean in ${median(clean)} ms (at most ${Math.max(...clean)})`);
}
