import type { Row } from './row.ts';

/** The database of a Gitea, read-only and in one snapshot. Tables and columns that a version lacks are empty. */
export interface Source {
  /** Whether the table exists. */
  has(table: string): Promise<boolean>;
  count(table: string): Promise<number>;
  /** The rows with an id greater than `after`, ordered by id. */
  rows(table: string, after: number, limit: number): Promise<Row[]>;
  /** The rows whose column has one of the values. */
  rowsWith(table: string, column: string, values: readonly (number | string)[]): Promise<Row[]>;
  close(): Promise<void>;
}
