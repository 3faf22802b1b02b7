import type { Generated } from 'kysely';

/** Cached archives. */
export interface ArchivesTable {
  id: Generated<number>;
  /** Not a foreign key: the row outlives the repository, until the archive is deleted. */
  repository_id: number;
  /** Identifies the content; `making …` and `removed …` for archives that cannot be found yet, or any more. */
  key: string;
  /** The key in the storage. */
  blob: string;
  /** Bytes; 0 for an incomplete archive. */
  size: number;
  /** The process that builds it. Not a foreign key: the row outlives the process, until the archive is deleted. */
  process_id: number | null;
  created_at: number;
  used_at: number;
}

export interface ArchiveTables {
  archives: ArchivesTable;
}
