import type { CacheBudget } from '../caches/budget.ts';
import type { Logger } from '../log.ts';

/** The two databases that Copse runs on. */
export type DialectName = 'sqlite' | 'postgres';

/** Where the database is. */
export interface DatabaseOptions {
  /** `postgres://…`; SQLite in `file` when empty. */
  url: string;
  /** The URL of PostgreSQL that does not go through a pooler; left out or empty where `url` does not either. */
  directUrl?: string;
  file: string;
  maxConnections: number;
  /** Milliseconds to connect to PostgreSQL. */
  connectTimeout?: number;
  /** Milliseconds that one statement may run on PostgreSQL; 0 for no limit. */
  statementTimeout?: number;
  /** Milliseconds that a SQLite statement waits for another process to finish writing. */
  busyTimeout?: number;
  /** Called after each statement with the kind of its node, its duration in milliseconds, and its text without values. */
  onQuery?: (kind: string, milliseconds: number, text: string) => void;
  /** Counts the cached results of SQLite. */
  caches?: CacheBudget;
  /** Logs connections that ended. */
  log?: Logger;
}

/** How SQLite is used. */
export interface SqliteOptions {
  /** Milliseconds to wait for another process to finish writing. */
  readonly busyTimeout?: number | undefined;
  readonly onCheckpointError?: (error: unknown) => void;
  /** Counts the cached results. */
  readonly caches?: CacheBudget | undefined;
  /** As in {@link DatabaseOptions}. What Kysely offers for this takes as long as a short statement. */
  readonly onQuery?: DatabaseOptions['onQuery'] | undefined;
}
