import type { Generated, Insertable, Selectable, Updateable } from 'kysely';
import type { ObjectFormat } from '../../git/repository.ts';
import type { Json } from './platform.ts';

/** 0 none, 1 read, 2 write, 3 administrator, 4 owner. */
export type AccessLevel = 0 | 1 | 2 | 3 | 4;

/** The parts of a repository that can be switched on and off. */
export type UnitName = 'code' | 'issues' | 'pulls' | 'releases' | 'wiki' | 'projects' | 'packages' | 'actions' | 'ext_issues' | 'ext_wiki';

/** The settings of one unit; what a unit has none of is left out. */
export interface UnitSettings {
  /** What anonymous callers may do here, whatever the repository's own visibility. */
  anonymousAccess?: AccessLevel;
  /** What everybody signed in may do here. */
  everyoneAccess?: AccessLevel;
  [setting: string]: unknown;
}

/** The units that are on, with their settings. */
export type Units = Partial<Record<UnitName, UnitSettings>>;

export interface RepositoriesTable {
  id: Generated<number>;
  owner_id: number;
  name: string;
  lower_name: string;
  description: Generated<string>;
  website: Generated<string>;
  original_url: Generated<string>;
  default_branch: Generated<string>;
  default_wiki_branch: Generated<string>;
  object_format: ObjectFormat;
  is_private: Generated<boolean>;
  is_archived: Generated<boolean>;
  archived_at: Generated<number>;
  is_mirror: Generated<boolean>;
  is_empty: Generated<boolean>;
  is_template: Generated<boolean>;
  /** `creating` until the folder on disk is whole, `deleting` from when it is being removed. */
  state: Generated<'ready' | 'creating' | 'deleting'>;
  fork_id: Generated<number | null>;
  template_id: Generated<number | null>;
  trust_model: Generated<string>;
  units: Json<Units>;
  topics: Json<string[]>;
  licenses: Json<string[]>;
  /** The language with the most bytes; empty when none is known. */
  language: Generated<string>;
  avatar: Generated<string>;
  /** Bytes of the repository on disk. */
  size: Generated<number>;
  lfs_size: Generated<number>;
  branches_count: Generated<number>;
  stars_count: Generated<number>;
  watchers_count: Generated<number>;
  forks_count: Generated<number>;
  issues_count: Generated<number>;
  closed_issues_count: Generated<number>;
  pulls_count: Generated<number>;
  closed_pulls_count: Generated<number>;
  releases_count: Generated<number>;
  created_at: number;
  updated_at: number;
}

/** Former names that lead to the repository that has them no longer. */
export interface RepositoryRedirectsTable {
  owner_id: number;
  lower_name: string;
  repository_id: number;
}

export interface CollaborationsTable {
  repository_id: number;
  user_id: number;
  access_level: AccessLevel;
  created_at: number;
}

export interface StarsTable {
  repository_id: number;
  user_id: number;
  created_at: number;
}

/** Who watches a repository, and who said not to. */
export interface WatchesTable {
  repository_id: number;
  user_id: number;
  /** `auto` came with a push or an issue; `ignored` is never watched again by itself. */
  mode: 'normal' | 'auto' | 'ignored';
  created_at: number;
}

export interface TopicsTable {
  id: Generated<number>;
  name: string;
  repos_count: Generated<number>;
  created_at: number;
  updated_at: number;
}

export interface RepositoryTopicsTable {
  repository_id: number;
  topic_id: number;
}

export interface RepositoryTables {
  repositories: RepositoriesTable;
  repository_redirects: RepositoryRedirectsTable;
  collaborations: CollaborationsTable;
  stars: StarsTable;
  watches: WatchesTable;
  topics: TopicsTable;
  repository_topics: RepositoryTopicsTable;
}

/** A repository as it is stored. */
export type RepositoryRow = Selectable<RepositoriesTable>;
export type NewRepository = Insertable<RepositoriesTable>;
export type RepositoryUpdate = Updateable<RepositoriesTable>;
