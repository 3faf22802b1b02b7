import { type Dialect, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { DatabaseOptions } from './database.ts';

/** Database ids and counts fit a double, so a bigint comes back as a number, as it does from SQLite. */
const INT8 = 20;
const NUMERIC = 1700;
const types = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8 || oid === NUMERIC ? Number : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
};

/** Kysely over PostgreSQL. */
export function postgresDialect({ url, maxConnections, connectTimeout, statementTimeout }: DatabaseOptions): Dialect {
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    types,
    idleTimeoutMillis: 30_000,
    ...(connectTimeout && { connectionTimeoutMillis: connectTimeout }),
    ...(statementTimeout && { statement_timeout: statementTimeout }),
  });
  // An idle connection that the database ends is replaced with the next query; unheard, its error would end the process (lesson 33).
  pool.on('error', () => {});
  return new PostgresDialect({ pool });
}
