import type { Generated, Selectable } from 'kysely';

/** Reactions such as `+1` to an issue or a comment; each user gives each once. */
export interface ReactionsTable {
  id: Generated<number>;
  issue_id: number;
  /** Null for a reaction to the issue itself. */
  comment_id: Generated<number | null>;
  user_id: number;
  /** The author on the server that it was migrated from; empty for reactions from here. */
  original_author: Generated<string>;
  original_author_id: Generated<number>;
  content: string;
  created_at: number;
}

/** An issue that cannot be closed before another one. */
export interface IssueDependenciesTable {
  id: Generated<number>;
  issue_id: number;
  /** The issue that has to be closed first. */
  dependency_id: number;
  /** The user who added the dependency. */
  user_id: number;
  created_at: number;
}

/** Time spent on issues. Deleted entries stay, as timelines refer to them. */
export interface TrackedTimesTable {
  id: Generated<number>;
  issue_id: number;
  user_id: number;
  seconds: number;
  is_deleted: Generated<boolean>;
  /** When the work was done, as in the request. */
  worked_at: number;
  created_at: number;
}

/** Running stopwatches of users. */
export interface StopwatchesTable {
  user_id: number;
  issue_id: number;
  created_at: number;
}

/** Who subscribed to an issue, and who unsubscribed. */
export interface IssueWatchesTable {
  issue_id: number;
  user_id: number;
  is_watching: boolean;
  created_at: number;
}

export type NotificationSource = 'issue' | 'pull' | 'commit' | 'repository';
export type NotificationStatus = 'unread' | 'read' | 'pinned';

/** Notifications, at most one for each user and issue: a new event makes it unread again. */
export interface NotificationsTable {
  id: Generated<number>;
  user_id: number;
  repository_id: number;
  source: NotificationSource;
  status: Generated<NotificationStatus>;
  issue_id: Generated<number | null>;
  commit_id: Generated<string>;
  /** The user who caused it last. */
  updated_by: number;
  created_at: number;
  updated_at: number;
}

/** Filters of issue and pull request lists that users have saved under a name. */
export interface SavedQueriesTable {
  id: Generated<number>;
  user_id: number;
  /** Null for the list over all repositories. */
  repository_id: number | null;
  is_pull: boolean;
  name: string;
  /** The parameters of the URL. */
  query: string;
  created_at: number;
}

/** Versions of a text that has been edited: of an issue, a pull request or a comment. */
export interface ContentVersionsTable {
  id: Generated<number>;
  issue_id: number;
  /** Null for the text of the issue itself. */
  comment_id: Generated<number | null>;
  /** Not a foreign key, like authors of comments. */
  author_id: number;
  /** Empty once the version is deleted. */
  body: string;
  /** The text before its first edit. */
  is_first: Generated<boolean>;
  is_deleted: Generated<boolean>;
  written_at: number;
}

export interface IssueActivityTables {
  content_versions: ContentVersionsTable;
  saved_queries: SavedQueriesTable;
  reactions: ReactionsTable;
  issue_dependencies: IssueDependenciesTable;
  tracked_times: TrackedTimesTable;
  stopwatches: StopwatchesTable;
  issue_watches: IssueWatchesTable;
  notifications: NotificationsTable;
}

export type ReactionRow = Selectable<ReactionsTable>;
export type TrackedTimeRow = Selectable<TrackedTimesTable>;
export type StopwatchRow = Selectable<StopwatchesTable>;
export type NotificationRow = Selectable<NotificationsTable>;

export type SavedQueryRow = Selectable<SavedQueriesTable>;
export type ContentVersionRow = Selectable<ContentVersionsTable>;
