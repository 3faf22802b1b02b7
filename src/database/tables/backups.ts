import type { Generated } from 'kysely';

/** Backups that are being made; a row goes with its process. While there is one, nothing is removed that it may still have to copy. */
export interface BackupsTable {
  id: Generated<number>;
  process_id: number;
  started_at: number;
}

/** Moves of refs since the first of the backups that are being made has begun: it takes them back in what it has copied. */
export interface BackupRefMovesTable {
  id: Generated<number>;
  repository_id: number;
  /** JSON of a list of `RefUpdate` (git/ref-update.ts). */
  updates: string;
}

/** Blobs that are to be removed after the backups that are being made. */
export interface HeldBlobsTable {
  key: string;
  /** The process that is removing it; null while it waits. */
  process_id: number | null;
}

/** Backups that were made and are whole, the last ones. */
export interface MadeBackupsTable {
  id: Generated<number>;
  /** The moment that it shows. */
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
