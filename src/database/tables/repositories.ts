import type { ColumnType, Generated, Insertable, Selectable, Updateable } from 'kysely';
import type { ObjectFormat } from '../../git/repository.ts';
import type { Visibility } from './accounts.ts';
import type { Json } from './platform.ts';

/** 0 none, 1 read, 2 write, 3 administrator, 4 owner. */
export type AccessLevel = 0 | 1 | 2 | 3 | 4;

/** The parts of a repository that can be enabled and disabled. */
export type UnitName = 'code' | 'issues' | 'pulls' | 'releases' | 'wiki' | 'projects' | 'packages' | 'actions' | 'ext_issues' | 'ext_wiki';

/** Settings of every unit besides its own. */
export interface UnitSettings {
  /** The access level of anonymous callers, whatever the repository's visibility. */
  anonymousAccess?: AccessLevel;
  /** The access level of every signed-in user. */
  everyoneAccess?: AccessLevel;
}

export interface IssuesSettings extends UnitSettings {
  timeTracking: boolean;
  /** Only users who may write to issues can track time. */
  onlyContributorsTrackTime: boolean;
  dependencies: boolean;
}

/** How a pull request is merged into its base branch. */
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
  /** The default base branch of new pull requests; empty for the default branch. */
  defaultTargetBranch: string;
}

export interface ProjectsSettings extends UnitSettings {
  /** Whose projects the repository shows. */
  mode: 'repo' | 'owner' | 'all' | '';
}

export interface ExternalTrackerSettings extends UnitSettings {
  url: string;
  /** The URL of an issue, with `{user}`, `{repo}` and `{index}`. */
  format: string;
  /** `numeric`, `alphanumeric` or `regexp`. */
  style: string;
  pattern: string;
}

export interface ExternalWikiSettings extends UnitSettings {
  url: string;
}

/** The enabled units, with their settings. */
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
  /** The name of the volume of the repository and its wiki in the settings (`git/volumes.ts`). */
  volume: Generated<string>;
  is_private: Generated<boolean>;
  is_archived: Generated<boolean>;
  archived_at: Generated<number>;
  is_mirror: Generated<boolean>;
  is_empty: Generated<boolean>;
  is_template: Generated<boolean>;
  /**
   * `creating` until the folder on disk is complete, `migrating` until a migration has finished, `deleting` from the start of the
   * deletion.
   */
  state: Generated<'ready' | 'creating' | 'migrating' | 'deleting'>;
  /** While it is `creating`: the process that does it, null once that is dead. */
  process_id: Generated<number | null>;
  fork_id: Generated<number | null>;
  template_id: Generated<number | null>;
  trust_model: Generated<string>;
  /** Commit messages close issues from every branch, not only from the default one. */
  closes_issues_on_any_branch: Generated<boolean>;
  /** A transfer to another owner waits to be accepted. */
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
  /** The number of recorded ref updates. */
  refs_version: Generated<number>;
  stars_count: Generated<number>;
  watchers_count: Generated<number>;
  forks_count: Generated<number>;
  /** The last number given; issues and pull requests share one sequence, and no number is reused. */
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
 * The number of (`ready`) repositories of a kind, by type and visibility of the owner; maintained by triggers: the sum of the rows of a
 * kind.
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

/** Former names, and the repository that had each. */
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
  /** The order in which they were added. */
  id: Generated<number>;
  repository_id: number;
  user_id: number;
  created_at: number;
}

/** Users who watch a repository, and users who ignore it. */
export interface WatchesTable {
  /** The order in which they were added. */
  id: Generated<number>;
  repository_id: number;
  user_id: number;
  /** `auto` was added by a push or an issue; `ignored` is never watched again automatically. */
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

/** The share of each language in the default branch. */
export interface RepositoryLanguagesTable {
  repository_id: number;
  language: string;
  bytes: number;
}

/** Pending transfers to another owner, at most one for each repository. */
export interface RepositoryTransfersTable {
  repository_id: number;
  /** The user who started it. */
  actor_id: number;
  /** A user, or an organization. */
  recipient_id: number;
  /** The teams of the organization that will get the repository. */
  team_ids: Json<number[]>;
  /** The transfer made the recipient a collaborator, so that they can see the repository. */
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

/** A repository as stored. */
export type RepositoryRow = Selectable<RepositoriesTable>;
export type NewRepository = Insertable<RepositoriesTable>;
export type RepositoryUpdate = Updateable<RepositoriesTable>;
