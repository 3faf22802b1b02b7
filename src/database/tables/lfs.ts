import type { Generated, Selectable } from 'kysely';

/** Contents of large files that are stored, each once for all repositories. */
export interface LfsObjectsTable {
  id: Generated<number>;
  /** The SHA-256 of the content in lower-case hexadecimal digits. */
  oid: string;
  /** Bytes. */
  size: number;
  /** The end of the storage key. An object that is stored anew gets another, so that nobody deletes its bytes for those of the old one. */
  blob: string;
  /** When it was last stored, linked or unlinked: without a link it stays for some time after that. */
  touched_at: number;
}

/** Which repository has which object. */
export interface LfsLinksTable {
  repository_id: number;
  object_id: number;
  created_at: number;
  /** When a pointer to it was last found in the repository; the time of creation before that. */
  seen_at: number;
}

/** Files that somebody has locked for Git LFS. */
export interface LfsLocksTable {
  id: Generated<number>;
  repository_id: number;
  /** Null once the account is gone. */
  owner_id: number | null;
  path: string;
  /** Two paths that differ in case alone cannot both be locked. */
  lower_path: string;
  created_at: number;
}

export interface LfsTables {
  lfs_objects: LfsObjectsTable;
  lfs_links: LfsLinksTable;
  lfs_locks: LfsLocksTable;
}

export type LfsObjectRow = Selectable<LfsObjectsTable>;
export type LfsLockRow = Selectable<LfsLocksTable>;
