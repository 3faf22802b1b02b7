import type { Generated } from 'kysely';

/** Imports of other programs' instances into this one: at most one. */
export interface ImportsTable {
  id: Generated<number>;
  /** A digest by which the source is known again. */
  source: string;
  started_at: number;
  /** Null until all is imported: nothing is served before. */
  finished_at: number | null;
  /** The process that imports; null when none does. */
  process_id: number | null;
}

/** How far each step of an import is. It advances in the transaction that writes the rows. */
export interface ImportStepsTable {
  import_id: number;
  step: string;
  /** The id of the last row of the source that was dealt with. */
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
