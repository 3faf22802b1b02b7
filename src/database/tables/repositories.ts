import type { ColumnType, Generated, Insertable, Selectable, Updateable } from 'kysely';
import type { ObjectFormat } from '../../git/repository.ts';
import type { Visibility } from './accounts.ts';
import type { Json } from './platform.ts';

/** 0 none, 1 read, 2 write, 3 administrator, 4 owner. */
export type AccessLevel = 0 | 1 | 2 | 3 | 4;

/** The parts of a repository that can be switched on and off. */
export type UnitName = 'code' | 'issues' | 'pulls' | 'releases' | 'wiki' | 'projects' | 'packages' | 'actions' | 'ext_issues' | 'ext_wiki';

/** What every unit can be given besides its own settings. */
export interface UnitSettings {
  /** What anonymous callers may do here, whatever the repository's own visibility. */
  anonymousAccess?: AccessLevel;
  /** What everybody signed in may do here. */
  everyoneAccess?: AccessLevel;
}

export interface IssuesSettings extends UnitSettings {
  timeTracking: boolean;
  /** Only who may write to issues tracks time. */
  onlyContributorsTrackTime: boolean;
  dependencies: boolean;
}

/** How a pull request becomes part of its base branch. */
export type MergeStyle = 'merge' | 'rebase' | 'rebase-merge' | 'squash' | 'fast-forward-only' | 'manually-merged';

export interface PullsSettings extends UnitSettings {
  ignoreWhitespaceConflicts: boolean;
  allowMerge: boolean;
  allowRebase: boolean;
  allowRebaseMerge: boolean;
  allowSquash: boolean;
  allowFastForwardOnly: boolean;
  allowManualMerge: boolean;
  autodetectManualMerge: boolean;
  allowRebaseUpdate: boolean;
  defaultDeleteBranchAfterMerge: boolean;
  defaultMergeStyle: string;
  defaultAllowMaintainerEdit: boolean;
  /** The branch that new pull requests go to; empty for the default branch. */
  defaultTargetBranch: string;
}

export interface ProjectsSettings extends UnitSettings {
  /** Whose projects the repository shows. */
  mode: 'repo' | 'owner' | 'all' | '';
}

export interface ExternalTrackerSettings extends UnitSettings {
  url: string;
  /** The address of one issue, with `{user}`, `{repo}` and `{index}`. */
  format: string;
  /** `numeric`, `alphanumeric` or `regexp`. */
  style: string;
  pattern: string;
}

export interface ExternalWikiSettings extends UnitSettings {
  url: string;
}

/** The units that are on, with their settings. */
export interface Units {
  code?: UnitSettings;
  issues?: IssuesSettings;
  pulls?: PullsSettings;
  releases?: UnitSettings;
  wiki?: UnitSettings;
  projects?: ProjectsSettings;
  packages?: UnitSettings;
  actions?: UnitSettings;
  ext_issues?: ExternalTrackerSettings;
  ext_wiki?: ExternalWikiSettings;
}

export interface RepositoriesTable {
  id: Generated<number>;
  owner_id: number;
  name: string;
  lower_name: string;
  description: Generated<string>;
  website: Generated<string>;
  original_url: Generated<string>;
  /** The software of the server that it was migrated from, such as `github`; empty where it was not. */
  original_service: Generated<string>;
  default_branch: Generated<string>;
  default_wiki_branch: Generated<string>;
  object_format: ObjectFormat;
  /** The volume that it and its wiki lie on, by its name in the settings (`git/volumes.ts`). */
  volume: Generated<string>;
  is_private: Generated<boolean>;
  is_archived: Generated<boolean>;
  archived_at: Generated<number>;
  is_mirror: Generated<boolean>;
  is_empty: Generated<boolean>;
  is_template: Generated<boolean>;
  /**
   * `creating` until the folder on disk is whole, `migrating` until a migration has brought everything over, `deleting` from when it is
   * being removed.
   */
  state: Generated<'ready' | 'creating' | 'migrating' | 'deleting'>;
  /** While it is `creating`: the process that does it, null once that is gone. */
  process_id: Generated<number | null>;
  fork_id: Generated<number | null>;
  template_id: Generated<number | null>;
  trust_model: Generated<string>;
  /** Commit messages close issues from every branch, not only from the default one. */
  closes_issues_on_any_branch: Generated<boolean>;
  /** A transfer to another owner waits for an answer. */
  is_transferring: Generated<boolean>;
  units: Json<Units>;
  topics: ColumnType<string[], string | undefined, string>;
  /** SPDX identifiers of the license files of the default branch, sorted. */
  licenses: ColumnType<string[], string | undefined, string>;
  /** The language with the most bytes; empty when none is known. */
  language: Generated<string>;
  avatar: Generated<string>;
  /** Bytes of the repository on disk. */
  size: Generated<number>;
  lfs_size: Generated<number>;
  branches_count: Generated<number>;
  /** How many moves of refs have been recorded. */
  refs_version: Generated<number>;
  stars_count: Generated<number>;
  watchers_count: Generated<number>;
  forks_count: Generated<number>;
  /** The number that was given last; issues and pull requests are counted together, and none is given twice. */
  last_issue_number: Generated<number>;
  issues_count: Generated<number>;
  closed_issues_count: Generated<number>;
  pulls_count: Generated<number>;
  closed_pulls_count: Generated<number>;
  releases_count: Generated<number>;
  created_at: number;
  updated_at: number;
}

/**
 * How many repositories (`ready` ones) there are of a kind, by type and visibility of the owner; kept by triggers: the sum of the rows
 * of a kind.
 */
export interface RepositoryCountsTable {
  type: 'individual' | 'organization';
  visibility: Visibility;
  is_private: boolean;
  is_template: boolean;
  is_archived: boolean;
  is_mirror: boolean;
  is_fork: boolean;
  count: number;
}

/** Former names that lead to the repository that has them no longer. */
export interface RepositoryRedirectsTable {
  owner_id: number;
  lower_name: string;
  repository_id: number;
}

export interface CollaborationsTable {
  id: Generated<number>;
  repository_id: number;
  user_id: number;
  access_level: AccessLevel;
  created_at: number;
}

export interface StarsTable {
  /** In the order in which they were given. */
  id: Generated<number>;
  repository_id: number;
  user_id: number;
  created_at: number;
}

/** Who watches a repository, and who said not to. */
export interface WatchesTable {
  /** In the order in which they began. */
  id: Generated<number>;
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

/** How much of the default branch is written in each language. */
export interface RepositoryLanguagesTable {
  repository_id: number;
  language: string;
  bytes: number;
}

/** Transfers to another owner that wait for an answer, at most one for each repository. */
export interface RepositoryTransfersTable {
  repository_id: number;
  /** Who began it. */
  actor_id: number;
  /** A user, or an organization. */
  recipient_id: number;
  /** The teams of the organization that are to get the repository. */
  team_ids: Json<number[]>;
  /** The recipient became a collaborator by it, to see what is offered. */
  made_collaborator: Generated<boolean>;
  created_at: number;
}

export interface RepositoryTables {
  repositories: RepositoriesTable;
  repository_counts: RepositoryCountsTable;
  repository_redirects: RepositoryRedirectsTable;
  collaborations: CollaborationsTable;
  stars: StarsTable;
  watches: WatchesTable;
  topics: TopicsTable;
  repository_topics: RepositoryTopicsTable;
  repository_languages: RepositoryLanguagesTable;
  repository_transfers: RepositoryTransfersTable;
}

/** A repository as it is stored. */
export type RepositoryRow = Selectable<RepositoriesTable>;
export type NewRepository = Insertable<RepositoriesTable>;
export type RepositoryUpdate = Updateable<RepositoriesTable>;
