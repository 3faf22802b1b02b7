import type { Generated } from 'kysely';

/** Imports of other instances into this one: at most one. */
export interface ImportsTable {
  id: Generated<number>;
  /** A digest that identifies the source. */
  source: string;
  started_at: number;
  /** Null until everything is imported: nothing is served before. */
  finished_at: number | null;
  /** The process that imports; null when none does. */
  process_id: number | null;
}

/** The progress of each step of an import. It advances in the transaction that writes the rows. */
export interface ImportStepsTable {
  import_id: number;
  step: string;
  /** The id of the last source row that was processed. */
  last_id: Generated<number>;
  rows_count: Generated<number>;
  is_done: Generated<boolean>;
}

/** What could not be imported as it was, and why. */
export interface ImportFindingsTable {
  id: Generated<number>;
  import_id: number;
  step: string;
  /** What it is about, such as `user 12 (alice)`. */
  subject: string;
  reason: string;
}

export interface ImportTables {
  imports: ImportsTable;
  import_steps: ImportStepsTable;
  import_findings: ImportFindingsTable;
}
