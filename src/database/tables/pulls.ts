import type { Generated, Insertable, Selectable, Updateable } from 'kysely';
import type { Json } from './platform.ts';

/**
 * What is known of merging the head into the base: `ancestor` when the base has all of the head already, `empty` when merging it
 * would change nothing, `manually_merged` when somebody did it with git.
 */
export type PullStatus = 'checking' | 'mergeable' | 'conflict' | 'empty' | 'ancestor' | 'manually_merged' | 'error';

/** A pull request; its text, state and number are those of the issue that it is. */
export interface PullRequestsTable {
  id: Generated<number>;
  issue_id: number;
  /** Where it is to be merged: the repository of the issue. */
  repository_id: number;
  /** That of the issue. */
  number: number;
  base_branch: string;
  /** Where the head comes from; null when that is gone. */
  head_repository_id: number | null;
  /** The branch, or the topic of one that was pushed to `refs/for/`. */
  head_branch: string;
  flow: Generated<'branch' | 'agit'>;
  /** The commit of `refs/pull/N/head` in the base repository. */
  head_id: string;
  /** The common ancestor from which on its changes are shown; kept as it was once it has been merged. */
  merge_base: string;
  /** Who may write the base may push to the head. */
  allow_maintainer_edit: Generated<boolean>;
  status: Generated<PullStatus>;
  /** The two commits that `status` and what follows it are about; empty before the first check. */
  checked_base_id: Generated<string>;
  checked_head_id: Generated<string>;
  conflicted_files: Json<string[]>;
  changed_protected_files: Json<string[]>;
  /** Commits of the head that the base has not, and the other way round. */
  commits_ahead: Generated<number>;
  commits_behind: Generated<number>;
  /** Empty unless merged; when, says the issue. */
  merged_commit_id: Generated<string>;
  merge_style: Generated<MergeStyle | ''>;
  merger_id: Generated<number | null>;
}

/** The ways to merge, as the wire names them. */
export type MergeStyle = 'merge' | 'rebase' | 'rebase-merge' | 'squash' | 'fast-forward-only' | 'manually-merged';

/** Merges that happen as soon as the checks have succeeded. */
export interface PullAutoMergesTable {
  pull_id: number;
  actor_id: number;
  style: MergeStyle;
  message: Generated<string>;
  delete_branch: Generated<boolean>;
  created_at: number;
}

/** Merges that have begun and are not yet known to the rest: what a crash between git and the database leaves. */
export interface PullMergesTable {
  pull_id: number;
  actor_id: number;
  style: MergeStyle;
  base_branch: string;
  /** What is merged. */
  head_id: string;
  /** What the base branch is to stand on. */
  commit_id: string;
  is_automatic: Generated<boolean>;
  /** The process that does it; null once that is gone, and somebody else has to look at it. */
  process_id: number | null;
  created_at: number;
}

/** `pending` is seen by its reviewer only; `request` asks for a review. */
export type ReviewType = 'pending' | 'approve' | 'comment' | 'reject' | 'request';

/** What reviewers say, and who is asked to. */
export interface ReviewsTable {
  id: Generated<number>;
  issue_id: number;
  type: ReviewType;
  /** Not a reference: deleted users have ids that are in no table. Null for a request to a team. */
  reviewer_id: number | null;
  reviewer_team_id: Generated<number | null>;
  original_author: Generated<string>;
  original_author_id: Generated<number>;
  body: Generated<string>;
  /** It counts towards the approvals that the base branch wants. */
  is_official: Generated<boolean>;
  /** The head when it was written. */
  commit_id: Generated<string>;
  /** The changes are others since. */
  is_stale: Generated<boolean>;
  is_dismissed: Generated<boolean>;
  created_at: number;
  updated_at: number;
}

/** What a comment of the kind `code` has besides. */
export interface CodeCommentsTable {
  comment_id: number;
  path: string;
  /** From 1 on the side of the head; negative on that of the base. */
  line: number;
  /** How many lines it is about, of which `line` is the last. */
  line_count: Generated<number>;
  /** The piece of the difference that ends with the line, from when it was written. */
  diff_hunk: Generated<string>;
  /** Where the line is now, on the same side, as `line` is counted; null once it is gone or has changed. */
  current_line: number | null;
  /** The commit that `current_line` is about. */
  anchor_id: string;
}

/** Files of a pull request that somebody has viewed. */
export interface PullViewedFilesTable {
  pull_id: number;
  user_id: number;
  path: string;
  /** What was viewed: the mark counts as long as the file is still this. */
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
