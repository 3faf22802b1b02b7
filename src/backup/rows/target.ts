import type { Row, TableShape } from './shape.ts';

/** An empty database whose schema is there, and which gets all rows in one transaction. */
export interface RowTarget {
  readonly tables: readonly TableShape[];
  /** Writes rows of a table that is not a full-text index. */
  write(table: TableShape, rows: readonly Row[]): Promise<void>;
  /**
   * Restores constraints and triggers, sets the next automatic ids, and commits.
   * @throws Error when rows refer to rows that are not there
   */
  finish(sequences: ReadonlyMap<string, number>): Promise<void>;
  /** Closes the connection; without {@link finish} nothing was written. */
  close(): Promise<void>;
}

/** The target has rows already. */
export class TargetNotEmptyError extends Error {
  override readonly name = 'TargetNotEmptyError';
}

/** @throws Error when source and target do not have the same tables and columns */
export function requireSameTables(source: readonly TableShape[], target: readonly TableShape[]): void {
  const describe = (tables: readonly TableShape[]) =>
    new Set(tables.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name} ${column.type}`)));
  const [there, here] = [describe(source), describe(target)];
  const differing = [...there.symmetricDifference(here)].slice(0, 5);
  if (differing.length > 0) throw new Error(`source and target do not have the same tables: ${differing.join(', ')}`);
}
