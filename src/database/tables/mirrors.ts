import type { Generated, Selectable } from 'kysely';

/** Columns of both kinds of mirrors. */
interface MirrorColumns {
  id: Generated<number>;
  /** Without credentials. */
  remote_url: string;
  /** The host of `remote_url`: hosts are synchronized in turn. */
  remote_host: string;
  /** Encrypted; null where the other server needs none. */
  credentials: Generated<string | null>;
  /** Seconds between two synchronizations; 0 for none by schedule. */
  interval: number;
  /** When the next synchronization is due; null for never. */
  next_at: number | null;
  /** Failed synchronizations since the last successful one. */
  failures: Generated<number>;
  /** Why the last synchronization failed; empty otherwise. */
  last_error: Generated<string>;
  created_at: number;
}

/** Repositories that mirror another one. */
export interface MirrorsTable extends MirrorColumns {
  repository_id: number;
  /** Deletes refs that were deleted on the other server. */
  enable_prune: Generated<boolean>;
  /** The URL of the wiki; empty where it is not mirrored. */
  wiki_url: Generated<string>;
  lfs: Generated<boolean>;
  /** The URL of the LFS objects; empty where it follows from `remote_url`. */
  lfs_endpoint: Generated<string>;
  /** The last synchronization, successful or not. */
  updated_at: number;
}

/** Repositories on other servers that mirror ours. */
export interface PushMirrorsTable extends MirrorColumns {
  repository_id: number;
  /** The name in the API. */
  remote_name: string;
  sync_on_commit: Generated<boolean>;
  /** The last synchronization, successful or not; null before the first. */
  last_update_at: Generated<number | null>;
}

export interface MirrorTables {
  mirrors: MirrorsTable;
  push_mirrors: PushMirrorsTable;
}

/** A pull mirror as stored. */
export type MirrorRow = Selectable<MirrorsTable>;

/** A push mirror as stored. */
export type PushMirrorRow = Selectable<PushMirrorsTable>;
