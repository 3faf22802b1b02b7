import { type Dialect, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Logger } from '../log.ts';
import { DatabaseError, postgresFailure } from './errors.ts';
import type { DatabaseOptions } from './options.ts';

/** Database ids and counts fit a double, so a bigint is returned as a number, like from SQLite. */
const INT8 = 20;
const NUMERIC = 1700;
const types = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8 || oid === NUMERIC ? Number : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
};

/** Counts the connections of a pool. */
type PoolState = () => { used: number; idle: number; waiting: number };

/** Kysely over PostgreSQL. Statements that the database could not run reject with DatabaseError. */
export function postgresDialect(options: DatabaseOptions, onPool?: (state: PoolState) => void): Dialect {
  const { url, directUrl, maxConnections, connectTimeout, statementTimeout, log } = options;
  const pool = new Pool({
    connectionString: url,
    Client,
    max: maxConnections,
    types,
    idleTimeoutMillis: 30_000,
    ...(connectTimeout && { connectionTimeoutMillis: connectTimeout }),
    // Poolers refuse settings of a connection that other clients share.
    ...(statementTimeout && !directUrl && { statement_timeout: statementTimeout }),
  });
  listen(pool, log);
  onPool?.(() => ({ used: pool.totalCount - pool.idleCount, idle: pool.idleCount, waiting: pool.waitingCount }));
  return new PostgresDialect({ pool });
}

/**
 * A connection that the database ends is replaced by the next query; its user gets the error from the query. The event needs a listener
 * anyway, also on connections in use: without one it ends the process.
 */
function listen(pool: pg.Pool, log: Logger | undefined): void {
  pool.on('connect', (client) => client.on('error', (error) => log?.warn({ err: error }, 'a connection to the database has ended')));
  // The same for idle connections.
  pool.on('error', () => {});
}

class Pool extends pg.Pool {
  override connect = ((...args: Parameters<pg.Pool['connect']>) => {
    const result: unknown = super.connect(...args);
    return result instanceof Promise ? result.catch(rethrow) : result;
  }) as pg.Pool['connect'];
}

class Client extends pg.Client {
  // The overloads of the original stay valid: only rejections change.
  override query = ((...args: Parameters<pg.Client['query']>) => {
    const result: unknown = super.query(...args);
    return result instanceof Promise ? result.catch(rethrow) : result;
  }) as pg.Client['query'];
}

function rethrow(error: unknown): never {
  const failure = postgresFailure(error);
  throw failure ? new DatabaseError(failure, error) : error;
}
