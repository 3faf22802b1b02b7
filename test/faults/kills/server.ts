import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '../../support/client.ts';
import { COPSE, environmentOf, ServerProcess } from '../../support/server-process.ts';

const PASSWORD = 'Test-Passw0rd';
const NAMESPACE = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child'];

/** How a server is killed: alone, with its process group, or with a PID namespace of its own. */
export type Kind = 'process' | 'group' | 'namespace';

/** A server in a process of its own, on data that stay when it is killed. */
export class KilledServer {
  /** The administrator. */
  readonly root: Client;
  /** Nobody. */
  readonly anonymous: Client;
  /** Where the repositories are on disk. */
  readonly repositories: string;
  readonly #environment: NodeJS.ProcessEnv;
  #process: ServerProcess | undefined;
  #url = '';
  #kind: Kind = 'process';

  /**
   * @param database the URL of an empty PostgreSQL database; SQLite when left out
   * @param settings further environment
   */
  constructor(folder: string, database?: string, settings: Readonly<Record<string, string>> = {}) {
    const admin = { COPSE_ADMIN_USERNAME: 'root', COPSE_ADMIN_PASSWORD: PASSWORD };
    this.#environment = environmentOf(join(folder, 'data'), { ...admin, ...settings, ...(database && { DATABASE_URL: database }) });
    this.repositories = join(folder, 'data', 'repositories');
    this.root = new Client(() => this.#url, { name: 'root', password: PASSWORD });
    this.anonymous = new Client(() => this.#url);
  }

  /** Resolves when it serves. */
  async start(kind: Kind): Promise<void> {
    this.#kind = kind;
    this.#process = new ServerProcess(this.#environment, kind === 'namespace' ? NAMESPACE : []);
    this.#url = String((await this.#process.logged('serving')).url);
    assert.equal((await this.root.get('/version')).status, 200);
  }

  /** Kills it in the way that it was started for. */
  async kill(): Promise<void> {
    const server = this.#process;
    this.#process = undefined;
    const pid = server?.child.pid;
    if (!pid) return;
    process.kill(this.#kind === 'process' ? pid : -pid, 'SIGKILL');
    await server.ended;
  }

  /** Runs a command of the command line on its data, and returns what that printed. */
  async command(...args: string[]): Promise<string> {
    const { stdout } = await promisify(execFile)(COPSE, args, { env: this.#environment });
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
