import type { Generated } from 'kysely';

/** Backups in progress; a row is deleted with its process. While there is one, no blob is deleted that it may still have to copy. */
export interface BackupsTable {
  id: Generated<number>;
  process_id: number;
  started_at: number;
}

/** Ref updates since the start of the first backup in progress: each backup reverts them in its copy. */
export interface BackupRefMovesTable {
  id: Generated<number>;
  repository_id: number;
  /** JSON of a list of `RefUpdate` (git/refs/ref-update.ts). */
  updates: string;
}

/** Blobs to delete after the backups in progress. */
export interface HeldBlobsTable {
  key: string;
  /** The process that is deleting it; null while it waits. */
  process_id: number | null;
}

/** The last backups that completed. */
export interface MadeBackupsTable {
  id: Generated<number>;
  /** The point in time that it shows. */
  moment: number;
  ended_at: number;
  bytes: number;
  /** Bytes that were not in an earlier one. */
  transferred: number;
}

export interface BackupTables {
  made_backups: MadeBackupsTable;
  backups: BackupsTable;
  backup_ref_moves: BackupRefMovesTable;
  held_blobs: HeldBlobsTable;
}
