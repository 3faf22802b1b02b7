import type { Generated, Selectable } from 'kysely';

/** The types of activities, as in the API. */
export type ActivityType =
  | 'create_repo'
  | 'rename_repo'
  | 'transfer_repo'
  | 'commit_repo'
  | 'push_tag'
  | 'delete_tag'
  | 'delete_branch'
  | 'create_issue'
  | 'close_issue'
  | 'reopen_issue'
  | 'comment_issue'
  | 'create_pull_request'
  | 'close_pull_request'
  | 'reopen_pull_request'
  | 'comment_pull'
  | 'approve_pull_request'
  | 'reject_pull_request'
  | 'merge_pull_request'
  | 'auto_merge_pull_request'
  | 'publish_release'
  | 'mirror_sync_push'
  | 'mirror_sync_create'
  | 'mirror_sync_delete';

/** What a user did in a repository. */
export interface ActivitiesTable {
  id: Generated<number>;
  /** The event, and the number of the activity within it: an event that is delivered twice is written once. */
  event_id: number;
  part: number;
  type: ActivityType;
  actor_id: number;
  repository_id: number;
  issue_id: Generated<number | null>;
  /** Not a foreign key: the absence of its row shows that a comment was deleted. */
  comment_id: Generated<number | null>;
  ref: Generated<string>;
  content: Generated<string>;
  created_at: number;
}

/** The feeds that show an activity: of its actor, of the organization that owns the repository, and of its watchers. */
export interface ActivityFeedsTable {
  user_id: number;
  activity_id: number;
}

export interface ActivityTables {
  activities: ActivitiesTable;
  activity_feeds: ActivityFeedsTable;
}

export type ActivityRow = Selectable<ActivitiesTable>;
