import type { Generated } from 'kysely';

/** Archives that are kept for the next who asks. */
export interface ArchivesTable {
  id: Generated<number>;
  /** Not a reference: the row outlives the repository, until the archive is removed. */
  repository_id: number;
  /** Where the storage has it. */
  key: string;
  created_at: number;
  used_at: number;
}

export interface ArchiveTables {
  archives: ArchivesTable;
}
