import type { DialectName } from '../../database/options.ts';
import type { Row, TableShape } from './shape.ts';

/** A snapshot of a database, independent of concurrent writes. */
export interface RowSource {
  readonly dialect: DialectName;
  /** In copying order. */
  readonly tables: readonly TableShape[];
  /** The names of the migrations that the database has had, in their order. */
  readonly migrations: readonly string[];
  /** For each table with automatic ids the last that was given. */
  readonly sequences: ReadonlyMap<string, number>;
  /** How many rows a table has. */
  count(table: TableShape): Promise<number>;
  /** All rows of a table, some hundred at a time, in no order. */
  rows(table: TableShape): AsyncIterable<readonly Row[]>;
  /** The processes that are registered and send heartbeats, in words. */
  livingProcesses(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** A value whose type differs from its column's. */
export class ValueError extends Error {
  override readonly name = 'ValueError';
}
