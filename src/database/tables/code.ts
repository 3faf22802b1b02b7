import type { Generated, Insertable, Selectable, Updateable } from 'kysely';
import type { RefUpdate } from '../../git/refs/ref-update.ts';
import type { Json } from './platform.ts';

/** Rules that protect branches, by name or pattern. */
export interface BranchProtectionsTable {
  id: Generated<number>;
  repository_id: number;
  /** A branch's name or a pattern of names. */
  rule_name: string;
  /** Of the rules that match a branch, the one with the lowest number applies. */
  priority: number;
  can_push: Generated<boolean>;
  /** Only those on the list may push. */
  push_limited: Generated<boolean>;
  push_user_ids: Json<number[]>;
  push_team_ids: Json<number[]>;
  push_deploy_keys: Generated<boolean>;
  can_force_push: Generated<boolean>;
  force_push_limited: Generated<boolean>;
  force_push_user_ids: Json<number[]>;
  force_push_team_ids: Json<number[]>;
  force_push_deploy_keys: Generated<boolean>;
  merge_limited: Generated<boolean>;
  merge_user_ids: Json<number[]>;
  merge_team_ids: Json<number[]>;
  status_check: Generated<boolean>;
  /** Null when none were ever set, as in the API. */
  status_check_contexts: Json<string[] | null>;
  required_approvals: Generated<number>;
  approvals_limited: Generated<boolean>;
  approvals_user_ids: Json<number[]>;
  approvals_team_ids: Json<number[]>;
  block_on_rejected_reviews: Generated<boolean>;
  block_on_official_review_requests: Generated<boolean>;
  block_on_outdated_branch: Generated<boolean>;
  dismiss_stale_approvals: Generated<boolean>;
  ignore_stale_approvals: Generated<boolean>;
  require_signed_commits: Generated<boolean>;
  /** Patterns of paths, separated by semicolons. */
  protected_file_patterns: Generated<string>;
  unprotected_file_patterns: Generated<string>;
  block_admin_merge_override: Generated<boolean>;
  created_at: number;
  updated_at: number;
}

/** Rules that protect tags. */
export interface TagProtectionsTable {
  id: Generated<number>;
  repository_id: number;
  /** A pattern of names, or an expression between slashes. */
  name_pattern: string;
  user_ids: Json<number[]>;
  team_ids: Json<number[]>;
  created_at: number;
  updated_at: number;
}

/** Statuses that checks report about commits; every report stays, the latest of a context counts. */
export interface CommitStatusesTable {
  id: Generated<number>;
  repository_id: number;
  sha: string;
  /** The statuses of a commit are numbered from 1; this is the id in the API. */
  number: Generated<number>;
  context: string;
  state: 'pending' | 'success' | 'error' | 'failure' | 'warning' | 'skipped';
  target_url: Generated<string>;
  description: Generated<string>;
  /** Null once the account is deleted. */
  creator_id: number | null;
  created_at: number;
  updated_at: number;
}

/** The number of the newest status of each commit. */
export interface CommitStatusCountsTable {
  repository_id: number;
  sha: string;
  last_number: number;
}

/** Former names of branches, and the new name of each. */
export interface RenamedBranchesTable {
  repository_id: number;
  from_name: string;
  to_name: string;
  created_at: number;
}

/** The last commits of deleted branches; the latest of each repository, for some days. */
export interface DeletedBranchesTable {
  id: Generated<number>;
  repository_id: number;
  name: string;
  commit_id: string;
  /** Null once the account is deleted, and where the server deleted the branch. */
  deleted_by: number | null;
  deleted_at: number;
}

/** Ref updates that have begun and are not yet recorded: what a crash between git and the database leaves. */
export interface RefMovesTable {
  id: Generated<number>;
  repository_id: number;
  actor_id: number;
  updates: Json<RefUpdate[]>;
  push_options: Json<Record<string, string>>;
  /** The process that runs it; null once that is dead, and another one has to complete it. */
  process_id: number | null;
  created_at: number;
}

/** When requests created tags, as long as these have not moved. */
export interface TagDatesTable {
  repository_id: number;
  name: string;
  made_at: number;
}

export interface CodeTables {
  branch_protections: BranchProtectionsTable;
  tag_protections: TagProtectionsTable;
  commit_statuses: CommitStatusesTable;
  commit_status_counts: CommitStatusCountsTable;
  renamed_branches: RenamedBranchesTable;
  deleted_branches: DeletedBranchesTable;
  ref_moves: RefMovesTable;
  tag_dates: TagDatesTable;
}

export type BranchProtection = Selectable<BranchProtectionsTable>;
export type NewBranchProtection = Insertable<BranchProtectionsTable>;
export type BranchProtectionUpdate = Updateable<BranchProtectionsTable>;
export type TagProtection = Selectable<TagProtectionsTable>;
export type DeletedBranch = Selectable<DeletedBranchesTable>;
export type CommitStatusRow = Selectable<CommitStatusesTable>;
