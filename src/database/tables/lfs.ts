import type { Generated, Selectable } from 'kysely';

/** LFS objects, each stored once for all repositories. */
export interface LfsObjectsTable {
  id: Generated<number>;
  /** The SHA-256 of the content in lower-case hexadecimal digits. */
  oid: string;
  /** Bytes. */
  size: number;
  /** The end of the storage key. An object that is stored again gets a new one, so nobody deletes its bytes by the old key. */
  blob: string;
  /** When it was last stored, linked or unlinked: an object without a link stays for some time after that. */
  touched_at: number;
}

/** The objects of each repository. */
export interface LfsLinksTable {
  repository_id: number;
  object_id: number;
  created_at: number;
  /** When a pointer to it was last found in the repository; before that, the time of creation. */
  seen_at: number;
}

/** Locks of Git LFS on files. */
export interface LfsLocksTable {
  id: Generated<number>;
  repository_id: number;
  /** Null once the account is deleted. */
  owner_id: number | null;
  path: string;
  /** Two paths that differ only in case cannot both be locked. */
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
