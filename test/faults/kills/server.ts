import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { Client } from '../../support/client.ts';

const PASSWORD = 'Test-Passw0rd';
const MAIN = join(import.meta.dirname, '../../../src/main.ts');

/** How a server is killed: alone, with its process group, or with a PID namespace of its own. */
export type Kind = 'process' | 'group' | 'namespace';

/** A server in a process of its own, on data that stay when it is killed. */
export class KilledServer {
  /** The administrator. */
  readonly root: Client;
  /** Where the repositories are on disk. */
  readonly repositories: string;
  readonly #environment: NodeJS.ProcessEnv;
  #process: ChildProcess | undefined;
  #url = '';
  #kind: Kind = 'process';

  /** @param database the URL of an empty PostgreSQL database; SQLite when left out */
  constructor(folder: string, database?: string) {
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    this.#environment = {
      PATH,
      NODE_COMPILE_CACHE: NODE_COMPILE_CACHE ?? join(import.meta.dirname, '../../../node_modules/.cache/copse'),
      ...(database && { DATABASE_URL: database }),
      COPSE_DATA_DIR: join(folder, 'data'),
      COPSE_HOST: '127.0.0.1',
      COPSE_PORT: '0',
      COPSE_ADMIN_USERNAME: 'root',
      COPSE_ADMIN_PASSWORD: PASSWORD,
    };
    this.repositories = join(folder, 'data', 'repositories');
    this.root = new Client(() => this.#url, { name: 'root', password: PASSWORD });
  }

  /** Resolves when it serves. */
  async start(kind: Kind): Promise<void> {
    const serve = [process.execPath, MAIN, 'serve'];
    const [command = '', ...args] = kind === 'namespace' ? ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child', ...serve] : serve;
    this.#kind = kind;
    this.#process = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'], env: this.#environment, detached: true });
    const { stdout } = this.#process;
    assert.ok(stdout);
    const line = await new Promise<string>((resolve, reject) => {
      createInterface({ input: stdout })
        .on('line', (line) => line.includes('"serving"') && resolve(line))
        .on('close', () => reject(new Error('the server did not start')));
    });
    this.#url = String(JSON.parse(line).url);
    assert.equal((await this.root.get('/version')).status, 200);
  }

  /** Kills it in the way that it was started for. */
  async kill(): Promise<void> {
    const server = this.#process;
    this.#process = undefined;
    if (!server?.pid) return;
    const closed = new Promise((resolve) => server.once('close', resolve));
    process.kill(this.#kind === 'process' ? server.pid : -server.pid, 'SIGKILL');
    await closed;
  }

  /** Runs a command of the command line on its data, and returns what that printed. */
  async command(...args: string[]): Promise<string> {
    const { stdout } = await promisify(execFile)(process.execPath, [MAIN, ...args], { env: this.#environment });
    return stdout;
  }
}

/** Whether processes here may get a PID namespace of their own. */
export async function canUnshare(): Promise<boolean> {
  return promisify(execFile)('unshare', ['--pid', '--fork', '--mount-proc', 'true']).then(
    () => true,
    () => false,
  );
}
