import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createUser } from '../../src/accounts/create.ts';
import { runCommand } from '../../src/cli/run.ts';
import { internalContext } from '../../src/context.ts';
import { createLogger } from '../../src/log.ts';
import { countStatistics } from '../../src/repositories/statistics/statistics.ts';
import { type Server, startServer } from '../../src/server.ts';
import { afterwards } from '../support/afterwards.ts';
import { Client } from '../support/client.ts';
import { emptyDatabase } from '../support/empty-database.ts';
import { type SettingsOverrides, testSettings } from '../support/settings.ts';

const PASSWORD = 'Test-Passw0rd';

/** Makes a folder that goes after the tests. */
export async function scratch(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'copse-backup-test-'));
  afterwards(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** An instance that can be started and stopped, and commands on its data. */
export class Instance {
  readonly dataDir: string;
  /** Of its PostgreSQL; undefined for SQLite. */
  readonly database: string | undefined;
  readonly #overrides: SettingsOverrides;
  #server: Server | undefined;

  private constructor(dataDir: string, database: string | undefined, overrides: SettingsOverrides) {
    this.dataDir = dataDir;
    this.database = database;
    this.#overrides = overrides;
    afterwards(() => this.stop());
  }

  /** An instance without any data, on the database that the tests run on, or on the one that is named. */
  static async empty(kind: 'as tests' | 'sqlite' = 'as tests', overrides: SettingsOverrides = {}): Promise<Instance> {
    const database = kind === 'sqlite' ? undefined : await emptyDatabase();
    return new Instance(join(await scratch(), 'data'), database, overrides);
  }

  get server(): Server {
    assert.ok(this.#server, 'the instance is not running');
    return this.#server;
  }

  async start(): Promise<void> {
    const { dataDir, database } = this;
    const settings = testSettings({
      ...this.#overrides,
      server: { dataDir, port: 0 },
      database: { ...(database && { url: database }) },
      log: { level: 'silent' },
    });
    this.#server = await startServer(settings, createLogger(settings.log));
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    await server?.close();
  }

  /** Resolves when nothing is under way, and what comes some seconds after a push has been done. */
  async settled(): Promise<void> {
    const { services } = this.server;
    await services.events.settled();
    await services.jobs.settled();
    const context = internalContext(services);
    const rows = await context.db.selectFrom('repositories').select('id').where('state', '=', 'ready').execute();
    const { signal } = new AbortController();
    for (const { id } of rows) await countStatistics({ repositoryId: id }, context, { signal });
  }

  async user(name: string, isAdmin = false): Promise<Client> {
    const columns = { is_admin: isAdmin, is_active: true };
    const account = { name, email: `${name}@example.com`, fullName: `Full ${name}`, password: PASSWORD, columns };
    await createUser(internalContext(this.server.services), account);
    return this.as(name);
  }

  as(name: string): Client {
    return new Client(() => this.server.url, { name, password: PASSWORD });
  }

  /** The variables with which a process works on its data. */
  get environment(): Record<string, string> {
    const variables = Object.entries(this.#overrides).flatMap(([group, values]) =>
      Object.entries(values ?? {}).map(([name, value]) => [variableOf(group, name), textOf(value)]),
    );
    return {
      ...Object.fromEntries(variables),
      COPSE_SETTINGS: '/dev/null',
      COPSE_DATA_DIR: this.dataDir,
      COPSE_SSH_PORT: '0',
      ...(this.database && { DATABASE_URL: this.database }),
    };
  }

  /** Runs `copse` with these words on its data. */
  async run(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
    const said = { stdout: '', stderr: '' };
    const code = await runCommand(args, {
      environment: this.environment,
      secret: async () => '',
      out: (text) => {
        said.stdout += text;
      },
      error: (text) => {
        said.stderr += text;
      },
    });
    return { code, ...said };
  }

  /** {@link run} for what has to succeed; returns what it prints. */
  async must(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(...args);
    assert.equal(code, 0, `${args.join(' ')}: ${stderr}`);
    return stdout;
  }

  /** What the server responds to each path, with its own URL taken out. */
  async responses(name: string, paths: readonly string[]): Promise<Record<string, string>> {
    const client = this.as(name);
    const found: Record<string, string> = {};
    for (const path of paths) {
      const { status, bytes } = await client.get(path);
      // Maintenance packs repositories some seconds after a push.
      const text = bytes
        .toString('latin1')
        .replaceAll(this.server.url, 'http://root/')
        .replaceAll(/"size":\d+,"language"/g, '"language"');
      found[path] = `${status} ${text}`;
    }
    return found;
  }
}

/** A value as the environment has it: lists with commas, volumes as `name=path`. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(',');
  if (typeof value !== 'object' || value === null) return String(value);
  const { name, path } = value as { name: string; path: string };
  return `${name}=${path}`;
}

/** The environment variable of a setting. */
function variableOf(group: string, name: string): string {
  return `COPSE_${`${group}_${name}`.replaceAll(/[A-Z]/g, (letter) => `_${letter}`)}`.toUpperCase();
}

/** Which responses are not the same, with what they have from there on. */
export function differences(actual: Readonly<Record<string, string>>, expected: Readonly<Record<string, string>>): string[] {
  return Object.entries(expected)
    .filter(([path, text]) => actual[path] !== text)
    .map(([path, text]) => {
      const found = actual[path] ?? '';
      const at = [...text].findIndex((_, index) => text[index] !== found[index]);
      return `${path}: ${found.slice(at - 20, at + 100)} instead of ${text.slice(at - 20, at + 100)}`;
    });
}
