import type { Generated, Insertable, Selectable } from 'kysely';

/** Issues and pull requests: both share numbers, labels, milestones, comments. */
export interface IssuesTable {
  id: Generated<number>;
  repository_id: number;
  /** Counted from 1 in the repository, issues and pull requests together. */
  number: number;
  is_pull: Generated<boolean>;
  /** Not a foreign key: automation and deleted users have ids that are in no table. */
  author_id: number;
  /** The author on the server that it was migrated from; empty for issues from here. */
  original_author: Generated<string>;
  original_author_id: Generated<number>;
  title: string;
  body: Generated<string>;
  /** Counts the changes of the body: an edit of an old version is refused. */
  content_version: Generated<number>;
  /** The branch or tag of the issue; empty for none. */
  ref: Generated<string>;
  milestone_id: Generated<number | null>;
  is_closed: Generated<boolean>;
  is_locked: Generated<boolean>;
  lock_reason: Generated<string>;
  comments_count: Generated<number>;
  /** Reviews that clients see counted with the comments: as of the last time a comment was added or deleted. */
  counted_reviews: Generated<number>;
  /** The estimate, in seconds. */
  time_estimate: Generated<number>;
  /** The position among the pinned ones of its repository and kind, from 1; 0 for not pinned. */
  pin_order: Generated<number>;
  deadline_at: Generated<number | null>;
  closed_at: Generated<number | null>;
  /** When a pull request was merged. */
  merged_at: Generated<number | null>;
  created_at: number;
  updated_at: number;
}

/** The kinds of timeline rows, as in the API. */
export type TimelineKind =
  | 'comment'
  | 'reopen'
  | 'close'
  | 'issue_ref'
  | 'commit_ref'
  | 'comment_ref'
  | 'pull_ref'
  | 'label'
  | 'milestone'
  | 'assignees'
  | 'change_title'
  | 'delete_branch'
  | 'start_tracking'
  | 'stop_tracking'
  | 'add_time_manual'
  | 'cancel_tracking'
  | 'added_deadline'
  | 'modified_deadline'
  | 'removed_deadline'
  | 'add_dependency'
  | 'remove_dependency'
  | 'code'
  | 'review'
  | 'lock'
  | 'unlock'
  | 'change_target_branch'
  | 'delete_time_manual'
  | 'review_request'
  | 'merge_pull'
  | 'pull_push'
  | 'project'
  | 'project_board'
  | 'dismiss_review'
  | 'change_issue_ref'
  | 'pull_scheduled_merge'
  | 'pull_cancel_scheduled_merge'
  | 'pin'
  | 'unpin'
  | 'change_time_estimate';

/** The effect of a reference on the issue: only pull requests close and reopen; `neutered` is a reference that the text has lost. */
export type ReferenceEffect = 'none' | 'closes' | 'reopens' | 'neutered';

/** Comments, and all other rows of timelines: one sequence of ids, as clients expect. */
export interface CommentsTable {
  id: Generated<number>;
  issue_id: number;
  /** The repository of the issue, for lists by repository. */
  repository_id: number;
  kind: TimelineKind;
  author_id: number;
  original_author: Generated<string>;
  original_author_id: Generated<number>;
  body: Generated<string>;
  content_version: Generated<number>;
  label_id: Generated<number | null>;
  old_milestone_id: Generated<number | null>;
  milestone_id: Generated<number | null>;
  /** Boards, by ids that may be deleted. */
  old_project_id: Generated<number | null>;
  project_id: Generated<number | null>;
  /** The title of the column at that time. */
  project_column: Generated<string>;
  tracked_time_id: Generated<number | null>;
  assignee_id: Generated<number | null>;
  assignee_team_id: Generated<number | null>;
  is_removal: Generated<boolean>;
  old_title: Generated<string>;
  new_title: Generated<string>;
  old_ref: Generated<string>;
  new_ref: Generated<string>;
  dependent_issue_id: Generated<number | null>;
  commit_id: Generated<string>;
  review_id: Generated<number | null>;
  /** The user who resolved a conversation about code. */
  resolver_id: Generated<number | null>;
  /** The source of a reference; the comment is null for one in a title or a body. */
  ref_repository_id: Generated<number | null>;
  ref_issue_id: Generated<number | null>;
  ref_comment_id: Generated<number | null>;
  ref_effect: Generated<ReferenceEffect>;
  ref_is_pull: Generated<boolean>;
  created_at: number;
  updated_at: number;
}

export interface MilestonesTable {
  id: Generated<number>;
  repository_id: number;
  title: string;
  description: Generated<string>;
  is_closed: Generated<boolean>;
  deadline_at: Generated<number | null>;
  closed_at: Generated<number | null>;
  /** Issues and pull requests, including closed ones. */
  issues_count: Generated<number>;
  closed_issues_count: Generated<number>;
  created_at: number;
  updated_at: number;
}

/** Labels of a repository, or of an organization for all its repositories. */
export interface LabelsTable {
  id: Generated<number>;
  repository_id: Generated<number | null>;
  organization_id: Generated<number | null>;
  name: string;
  description: Generated<string>;
  /** Six lower-case hexadecimal digits, without `#`. */
  color: string;
  /** An issue has at most one label of its scope, the part of the name before the last `/`. */
  is_exclusive: Generated<boolean>;
  exclusive_order: Generated<number>;
  archived_at: Generated<number | null>;
  /** Issues and pull requests with this label, including closed ones. */
  issues_count: Generated<number>;
  closed_issues_count: Generated<number>;
  created_at: number;
  updated_at: number;
}

export interface IssueLabelsTable {
  issue_id: number;
  label_id: number;
}

export interface IssueAssigneesTable {
  /** Assignees are shown in the order of their assignment. */
  id: Generated<number>;
  issue_id: number;
  user_id: number;
}

/** Users mentioned in an issue or its comments. */
export interface IssueMentionsTable {
  issue_id: number;
  user_id: number;
}

/** Files of an issue, a comment or a release. The bytes are in the storage, under the uuid. */
export interface AttachmentsTable {
  id: Generated<number>;
  uuid: string;
  repository_id: number;
  uploader_id: number;
  issue_id: Generated<number | null>;
  comment_id: Generated<number | null>;
  release_id: Generated<number | null>;
  name: string;
  /** Bytes. */
  size: Generated<number>;
  download_count: Generated<number>;
  created_at: number;
}

/** The properties that issues are counted by. */
export type IssueMark = 'author' | 'milestone' | 'label' | 'assignee' | 'mention' | 'updated' | 'comment';

/** The number of issues or pull requests of a repository with a property; maintained by triggers. */
export interface IssueCountsTable {
  repository_id: number;
  mark: IssueMark;
  /** The id of the user, milestone or label; of `updated` the number of 65,536 seconds since 1970, of `comment` 0. */
  mark_id: number;
  is_pull: boolean;
  is_closed: boolean;
  count: number;
}

/** The last digits of a number in an issue's title and body (`comment_id` 0) or in a comment. */
export interface IssueNumbersTable {
  issue_id: number;
  comment_id: number;
  repository_id: number;
  digits: string;
}

export interface IssueTables {
  issues: IssuesTable;
  comments: CommentsTable;
  milestones: MilestonesTable;
  labels: LabelsTable;
  issue_labels: IssueLabelsTable;
  issue_assignees: IssueAssigneesTable;
  issue_mentions: IssueMentionsTable;
  issue_counts: IssueCountsTable;
  issue_numbers: IssueNumbersTable;
  attachments: AttachmentsTable;
}

/** An issue or a pull request as stored. */
export type IssueRow = Selectable<IssuesTable>;
export type CommentRow = Selectable<CommentsTable>;
export type NewComment = Insertable<CommentsTable>;
export type MilestoneRow = Selectable<MilestonesTable>;
export type LabelRow = Selectable<LabelsTable>;
export type AttachmentRow = Selectable<AttachmentsTable>;
