import type { Generated, Selectable } from 'kysely';

/** What both kinds of mirrors have. */
interface MirrorColumns {
  id: Generated<number>;
  /** Without credentials. */
  remote_url: string;
  /** The host of `remote_url`, by which mirrors take turns. */
  remote_host: string;
  /** Encrypted; null where the other server asks for none. */
  credentials: Generated<string | null>;
  /** Seconds between two transfers; 0 for none by itself. */
  interval: number;
  /** When the next transfer is due; null for never. */
  next_at: number | null;
  /** Transfers that have failed since the last good one. */
  failures: Generated<number>;
  /** Why the last transfer failed; empty otherwise. */
  last_error: Generated<string>;
  created_at: number;
}

/** The repositories that follow another one. */
export interface MirrorsTable extends MirrorColumns {
  repository_id: number;
  /** Refs that are gone there go here. */
  enable_prune: Generated<boolean>;
  /** Where the wiki is; empty where it is not mirrored. */
  wiki_url: Generated<string>;
  lfs: Generated<boolean>;
  /** Where the LFS objects are; empty where it follows from `remote_url`. */
  lfs_endpoint: Generated<string>;
  /** The last transfer, good or not. */
  updated_at: number;
}

/** The repositories of other servers that follow ours. */
export interface PushMirrorsTable extends MirrorColumns {
  repository_id: number;
  /** By which the API names it. */
  remote_name: string;
  sync_on_commit: Generated<boolean>;
  /** The last transfer, good or not; null before the first. */
  last_update_at: Generated<number | null>;
}

export interface MirrorTables {
  mirrors: MirrorsTable;
  push_mirrors: PushMirrorsTable;
}

/** A repository that follows another one, as in the database. */
export type MirrorRow = Selectable<MirrorsTable>;

/** A repository of another server that follows one of ours, as in the database. */
export type PushMirrorRow = Selectable<PushMirrorsTable>;
