import type { Logger } from '../log.ts';

/** The two databases that Copse runs on. */
export type DialectName = 'sqlite' | 'postgres';

/** Where the database is. */
export interface DatabaseOptions {
  /** `postgres://…`; SQLite in `file` when empty. */
  url: string;
  /** PostgreSQL past a pooler that `url` leads through; left out or empty where there is none. */
  directUrl?: string;
  file: string;
  maxConnections: number;
  /** Milliseconds to connect to PostgreSQL. */
  connectTimeout?: number;
  /** Milliseconds that one statement may run on PostgreSQL; 0 for no limit. */
  statementTimeout?: number;
  /** Milliseconds that a SQLite statement waits for another process to finish writing. */
  busyTimeout?: number;
  /** Called with each statement that was run: the kind of its node, how long it took in milliseconds, and its text without values. */
  onQuery?: (kind: string, milliseconds: number, text: string) => void;
  /** Called with connections that ended. */
  log?: Logger;
}
