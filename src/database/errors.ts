/** Why the database could not run a statement: the statement itself is right, and a later attempt may succeed. */
export type DatabaseFailure = 'busy' | 'unavailable' | 'timeout' | 'full';

const MESSAGES: Readonly<Record<DatabaseFailure, string>> = {
  busy: 'the database is in use by another process',
  unavailable: 'the database is not available',
  timeout: 'the database took too long',
  full: 'the database has no space left',
};

/** The database could not be used. The message is fit for clients; `cause` is the error of the database. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
  readonly failure: DatabaseFailure;
  constructor(failure: DatabaseFailure, cause: unknown) {
    super(MESSAGES[failure], { cause });
    this.failure = failure;
  }
}

/** https://www.sqlite.org/rescode.html, primary codes. */
const SQLITE_FAILURES: Readonly<Record<number, DatabaseFailure>> = {
  5: 'busy',
  6: 'busy',
  8: 'unavailable',
  10: 'unavailable',
  13: 'full',
  14: 'unavailable',
};

/** The failure of the database that an error of SQLite reports; undefined when the statement itself is wrong. */
export function sqliteFailure(error: unknown): DatabaseFailure | undefined {
  const { errcode } = error as { errcode?: unknown };
  return typeof errcode === 'number' ? SQLITE_FAILURES[errcode & 0xff] : undefined;
}

/**
 * https://www.postgresql.org/docs/current/errcodes-appendix.html: connection exceptions, invalid authorization, no such database,
 * insufficient resources, operator intervention.
 */
const POSTGRES_FAILURES: readonly [RegExp, DatabaseFailure][] = [
  [/^53100$/, 'full'],
  [/^(57014|55P03|25P0[34])$/, 'timeout'],
  [/^(08...|28...|3D000|53...|57P0.)$/, 'unavailable'],
];
/** The database accepts no connections, for example while it is being moved. */
const NOT_ACCEPTING = /^database ".*" is not currently accepting connections$/;

/** The client's messages for connections that fail or end, where the system has no error code. */
const CONNECTION_LOST = /^Connection terminated|timeout exceeded when trying to connect|not queryable$|^timeout expired$/;

/** The failure of the database that an error of the PostgreSQL client reports; undefined when the statement itself is wrong. */
export function postgresFailure(error: unknown): DatabaseFailure | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, severity, syscall, message } = error as Error & { code?: unknown; severity?: unknown; syscall?: unknown };
  // Only errors of the server have a severity.
  if (severity === undefined) {
    const isLost = syscall !== undefined || error instanceof AggregateError || CONNECTION_LOST.test(message) || code === 'EPIPE';
    return isLost ? 'unavailable' : undefined;
  }
  if (NOT_ACCEPTING.test(message)) return 'unavailable';
  return POSTGRES_FAILURES.find(([pattern]) => pattern.test(String(code)))?.[1];
}
