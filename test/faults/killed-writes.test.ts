import { randomBytes } from 'node:crypto';
import { it } from 'node:test';
import pg from 'pg';
import { kills } from './kills.ts';

/* The short form of kills.ts, on both databases as for support/server.ts. */

const { COPSE_TEST_DATABASE_URL: base } = process.env;

it('keeps what was acknowledged over kills of the process and of its group', { skip: base && 'SQLite' }, async () => {
  await kills({ kills: 2, first: 3 });
});

it('keeps what was acknowledged on PostgreSQL, in a container', { skip: !base && 'PostgreSQL' }, async () => {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const client = new pg.Client({ connectionString: base });
  await client.connect();
  await client.query(`create database ${name}`);
  const url = new URL(base ?? '');
  url.pathname = `/${name}`;
  try {
    await kills({ kills: 1, first: 2, database: url.href });
  } finally {
    await client.query(`drop database ${name} with (force)`);
    await client.end();
  }
});
