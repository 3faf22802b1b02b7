import type { Batch } from './batch.ts';
import type { Row } from './source/row.ts';

/** Imports one table of the source in batches of rows. */
export interface Step {
  /** Never changes: an interrupted import continues by it. */
  readonly name: string;
  /** The table of the source, whose key is `id`. */
  readonly table: string;
  /** Rows per batch, for large rows or rows with large files. */
  readonly batchSize?: number;
  /** Adds the converted rows to the batch. Files are copied at once, and copied again when the batch is repeated. */
  run(rows: readonly Row[], batch: Batch): Promise<void> | void;
}
