import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterwards } from './afterwards.ts';

/**
 * Makes an empty database on the PostgreSQL server of `COPSE_TEST_DATABASE_URL`, for servers in processes of their own; it is dropped
 * after the tests of the file. Returns its URL, undefined where tests use SQLite.
 */
export async function emptyDatabase(): Promise<string | undefined> {
  const { COPSE_TEST_DATABASE_URL: base } = process.env;
  if (!base) return undefined;
  const name = `test_${randomBytes(6).toString('hex')}`;
  const run = async (statement: string) => {
    const client = new pg.Client({ connectionString: base });
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  await run(`create database ${name}`);
  afterwards(() => run(`drop database ${name} with (force)`));
  const url = new URL(base);
  url.pathname = `/${name}`;
  return url.href;
}
