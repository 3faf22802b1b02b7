import type { Row } from './row.ts';

/** The database of a Gitea, of which one state is read and nothing is written. Tables and columns that a version lacks are empty. */
export interface Source {
  /** Whether there is such a table. */
  has(table: string): Promise<boolean>;
  count(table: string): Promise<number>;
  /** The rows whose id is greater than `after`, in the order of ids. */
  rows(table: string, after: number, limit: number): Promise<Row[]>;
  /** The rows in which a column has one of the values. */
  rowsWith(table: string, column: string, values: readonly (number | string)[]): Promise<Row[]>;
  close(): Promise<void>;
}
