import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { runCommand } from '../../src/cli/run.ts';
import { createLogger } from '../../src/log.ts';
import { type Server, startServer } from '../../src/server.ts';
import { afterwards } from '../support/afterwards.ts';
import { Client } from '../support/client.ts';
import { newDatabase } from '../support/database.ts';
import { testSettings } from '../support/settings.ts';

/** Gitea's secret in the recording. */
export const SECRET_KEY = 'source-secret-key';
/** The password of the recorded accounts. */
export const SOURCE_PASSWORD = 'Source-Passw0rd';

const RECORDING = join(import.meta.dirname, 'gitea');

/** A stopped Gitea in a folder, made of the recording. */
export interface RecordedSource {
  readonly folder: string;
  /** Its `app.ini`. */
  readonly config: string;
  /** Changes its tables. */
  change(statement: string, ...values: (string | number | Buffer)[]): void;
}

/** Makes a scratch folder that goes after the tests. */
async function scratch(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'copse-import-test-'));
  afterwards(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Makes the recorded Gitea in a folder of its own. */
export async function recordedSource(): Promise<RecordedSource> {
  const folder = await scratch();
  const config = join(folder, 'custom/conf/app.ini');
  const lines = ['[database]', 'DB_TYPE = sqlite3', '[repository]', 'ROOT = repos', '[security]', `SECRET_KEY = ${SECRET_KEY}`];
  await mkdir(dirname(config), { recursive: true });
  await writeFile(config, `${lines.join('\n')}\n`);
  const { files, bundles } = JSON.parse(await readFile(join(RECORDING, 'files.json'), 'utf8')) as Record<string, Record<string, string>>;
  for (const [path, content] of Object.entries(files ?? {})) {
    await mkdir(dirname(join(folder, 'data', path)), { recursive: true });
    await writeFile(join(folder, 'data', path), Buffer.from(content, 'base64'));
  }
  for (const [path, bundle] of Object.entries(bundles ?? {})) unbundle(join(folder, 'repos', path), Buffer.from(bundle, 'base64'));
  const database = new DatabaseSync(join(folder, 'data/gitea.db'));
  database.exec(`begin; ${await readFile(join(RECORDING, 'source.sql'), 'utf8')} commit`);
  database.close();
  const change: RecordedSource['change'] = (statement, ...values) => {
    const opened = new DatabaseSync(join(folder, 'data/gitea.db'));
    opened.prepare(statement).run(...values);
    opened.close();
  };
  return { folder, config, change };
}

function unbundle(path: string, bundle: Buffer): void {
  const git = (args: string[], input?: Buffer) =>
    execFileSync('git', args, { ...(input && { input }), stdio: ['pipe', 'ignore', 'ignore'] });
  git(['init', '-q', '--bare', '-b', 'main', path]);
  // A bundle is its refs, an empty line, and a pack.
  const end = bundle.indexOf('\n\n');
  git(['-C', path, 'unpack-objects', '-q'], bundle.subarray(end + 2));
  for (const line of bundle.subarray(0, end).toString().split('\n').slice(1)) {
    const [oid = '', name = ''] = line.split(' ');
    if (name.startsWith('refs/')) git(['-C', path, 'update-ref', name, oid]);
  }
}

/** An empty Copse to import into. */
export interface Target {
  readonly environment: Readonly<Record<string, string>>;
  readonly dataDir: string;
  /** Runs `copse import gitea` with these further words. */
  run(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }>;
  /** What `copse doctor` prints. */
  doctor(): Promise<string>;
  /** Serves what was imported until the end of the tests; a client for each account. */
  serve(): Promise<{ server: Server; as(name: string, password?: string): Client }>;
}

/** Makes an empty target, on the database that the tests run on. */
export async function emptyTarget(): Promise<Target> {
  const dataDir = await scratch();
  const { url, drop } = await newDatabase(join(dataDir, 'copse.db'));
  afterwards(drop);
  const environment = { COPSE_SETTINGS: '/dev/null', COPSE_DATA_DIR: dataDir, ...(url && { DATABASE_URL: url }) };
  const run = async (args: readonly string[]) => {
    const said = { stdout: '', stderr: '' };
    const code = await runCommand(args, {
      environment,
      secret: async () => '',
      out: (text) => {
        said.stdout += text;
      },
      error: (text) => {
        said.stderr += text;
      },
    });
    return { code, ...said };
  };
  return {
    environment,
    dataDir,
    run: (...args) => run(['import', 'gitea', ...args]),
    doctor: async () => (await run(['doctor', '--fsck'])).stdout,
    serve: async () => {
      const settings = testSettings({ server: { dataDir, port: 0 }, database: { ...(url && { url }) }, log: { level: 'silent' } });
      const server = await startServer(settings, createLogger(settings.log));
      afterwards(() => server.close());
      const as = (name: string, password = SOURCE_PASSWORD) => new Client(() => server.url, name === '' ? {} : { name, password });
      return { server, as };
    },
  };
}
