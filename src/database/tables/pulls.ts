import type { Generated, Insertable, Selectable, Updateable } from 'kysely';
import type { Json } from './platform.ts';

/**
 * The result of the mergeability check: `ancestor` when the base already contains the head, `empty` when merging would change nothing,
 * `manually_merged` when somebody merged it with git.
 */
export type PullStatus = 'checking' | 'mergeable' | 'conflict' | 'empty' | 'ancestor' | 'manually_merged' | 'error';

/** A pull request; its text, state and number are those of its issue. */
export interface PullRequestsTable {
  id: Generated<number>;
  issue_id: number;
  /** The base repository, which is that of the issue. */
  repository_id: number;
  /** The number of the issue. */
  number: number;
  base_branch: string;
  /** The repository of the head; null when that is deleted. */
  head_repository_id: number | null;
  /** The branch, or the topic of a push to `refs/for/`. */
  head_branch: string;
  flow: Generated<'branch' | 'agit'>;
  /** The commit of `refs/pull/N/head` in the base repository. */
  head_id: string;
  /** The common ancestor that the shown changes begin at; fixed once the pull request is merged. */
  merge_base: string;
  /** Users who may write to the base may push to the head. */
  allow_maintainer_edit: Generated<boolean>;
  status: Generated<PullStatus>;
  /** The two commits of the last check; empty before the first. */
  checked_base_id: Generated<string>;
  checked_head_id: Generated<string>;
  conflicted_files: Json<string[]>;
  changed_protected_files: Json<string[]>;
  /** The number of commits that only the head has, and that only the base has. */
  commits_ahead: Generated<number>;
  commits_behind: Generated<number>;
  /** Empty unless merged; the issue has the time. */
  merged_commit_id: Generated<string>;
  merge_style: Generated<MergeStyle | ''>;
  merger_id: Generated<number | null>;
}

/** The merge styles, as in the API. */
export type MergeStyle = 'merge' | 'rebase' | 'rebase-merge' | 'squash' | 'fast-forward-only' | 'manually-merged';

/** Scheduled merges, which happen as soon as the checks succeed. */
export interface PullAutoMergesTable {
  pull_id: number;
  actor_id: number;
  style: MergeStyle;
  message: Generated<string>;
  delete_branch: Generated<boolean>;
  created_at: number;
}

/** Merges that have begun and are not yet recorded: what a crash between git and the database leaves. */
export interface PullMergesTable {
  pull_id: number;
  actor_id: number;
  style: MergeStyle;
  base_branch: string;
  /** The commit to merge. */
  head_id: string;
  /** The new commit of the base branch. */
  commit_id: string;
  is_automatic: Generated<boolean>;
  /** The process that runs it; null once that is dead, and another one has to complete it. */
  process_id: number | null;
  created_at: number;
}

/** Only its reviewer sees a `pending` review; `request` asks for a review. */
export type ReviewType = 'pending' | 'approve' | 'comment' | 'reject' | 'request';

/** Reviews and review requests. */
export interface ReviewsTable {
  id: Generated<number>;
  issue_id: number;
  type: ReviewType;
  /** Not a foreign key: deleted users have ids that are in no table. Null for a request to a team. */
  reviewer_id: number | null;
  reviewer_team_id: Generated<number | null>;
  original_author: Generated<string>;
  original_author_id: Generated<number>;
  body: Generated<string>;
  /** It counts towards the required approvals of the base branch. */
  is_official: Generated<boolean>;
  /** The head at the time of the review. */
  commit_id: Generated<string>;
  /** The changes are different since then. */
  is_stale: Generated<boolean>;
  is_dismissed: Generated<boolean>;
  created_at: number;
  updated_at: number;
}

/** Further columns of a comment of the kind `code`. */
export interface CodeCommentsTable {
  comment_id: number;
  path: string;
  /** From 1 on the side of the head; negative on that of the base. */
  line: number;
  /** The number of commented lines; `line` is the last. */
  line_count: Generated<number>;
  /** The part of the diff that ends with the line, at the time of writing. */
  diff_hunk: Generated<string>;
  /** The current number of the line, on the same side, counted like `line`; null once it is deleted or changed. */
  current_line: number | null;
  /** The commit of `current_line`. */
  anchor_id: string;
}

/** Files of a pull request that a user has viewed. */
export interface PullViewedFilesTable {
  pull_id: number;
  user_id: number;
  path: string;
  /** The viewed content: the file counts as viewed while it has this content. */
  content: string;
  viewed_at: number;
}

export interface PullTables {
  pull_requests: PullRequestsTable;
  pull_auto_merges: PullAutoMergesTable;
  pull_merges: PullMergesTable;
  reviews: ReviewsTable;
  code_comments: CodeCommentsTable;
  pull_viewed_files: PullViewedFilesTable;
}

export type PullRow = Selectable<PullRequestsTable>;
export type NewPull = Insertable<PullRequestsTable>;
export type PullUpdate = Updateable<PullRequestsTable>;
export type AutoMergeRow = Selectable<PullAutoMergesTable>;
export type PullMergeRow = Selectable<PullMergesTable>;
export type ReviewRow = Selectable<ReviewsTable>;
export type NewReview = Insertable<ReviewsTable>;
export type CodeCommentRow = Selectable<CodeCommentsTable>;
