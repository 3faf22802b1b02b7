import { randomBytes } from 'node:crypto';
import { copyFile } from 'node:fs/promises';
import pg from 'pg';

/**
 * Makes a database for a test, with the tables where the test run has made them: on the PostgreSQL server of `COPSE_TEST_DATABASE_URL`, or in
 * SQLite, with an empty URL.
 * @param file where it is, if it is SQLite
 */
export async function newDatabase(file: string): Promise<{ url: string; drop: () => Promise<void> }> {
  const { COPSE_TEST_DATABASE_URL: base, COPSE_TEST_TEMPLATE: template } = process.env;
  if (!base) {
    if (template) await copyFile(template, file);
    return { url: '', drop: async () => {} };
  }
  const name = `test_${randomBytes(6).toString('hex')}`;
  const run = async (statement: string) => {
    const client = new pg.Client({ connectionString: base });
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  await run(`create database ${name}${template ? ` template ${template} strategy file_copy` : ''}`);
  const url = new URL(base);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => run(`drop database ${name} with (force)`) };
}
