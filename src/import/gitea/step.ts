import type { Batch } from './batch.ts';
import type { Row } from './source/row.ts';

/** Takes over one table of the source, a batch of rows at a time. */
export interface Step {
  /** Stays the same: an import that was interrupted goes on by it. */
  readonly name: string;
  /** The table of the source, whose key is `id`. */
  readonly table: string;
  /** Rows in a batch, where the rows or what hangs on them are large. */
  readonly batchSize?: number;
  /** Adds to the batch what becomes of the rows. Files are copied at once, and copied again when the batch is repeated. */
  run(rows: readonly Row[], batch: Batch): Promise<void> | void;
}
