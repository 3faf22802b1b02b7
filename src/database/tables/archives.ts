import type { Generated } from 'kysely';

/** Cached archives. */
export interface ArchivesTable {
  id: Generated<number>;
  /** Not a reference: the row outlives the repository, until the archive is removed. */
  repository_id: number;
  /** What it is an archive of; `making …` and `removed …` for what cannot be found yet, or any more. */
  key: string;
  /** Where the storage has it. */
  blob: string;
  /** Bytes; 0 for what is not whole. */
  size: number;
  /** The process that makes it. Not a reference: the row outlives the process, until the archive is removed. */
  process_id: number | null;
  created_at: number;
  used_at: number;
}

export interface ArchiveTables {
  archives: ArchivesTable;
}
