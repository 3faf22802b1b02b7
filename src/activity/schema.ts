import { User } from '../accounts/users/schema.ts';
import { boolean, define, defineAs, int64, nullable, oneOf, ref, string, timestamp } from '../http/schema.ts';
import { Comment } from '../issues/comments/schema.ts';
import { Repository } from '../repositories/schema.ts';

const TYPES = [
  'create_repo',
  'rename_repo',
  'star_repo',
  'watch_repo',
  'commit_repo',
  'create_issue',
  'create_pull_request',
  'transfer_repo',
  'push_tag',
  'comment_issue',
  'merge_pull_request',
  'close_issue',
  'reopen_issue',
  'close_pull_request',
  'reopen_pull_request',
  'delete_tag',
  'delete_branch',
  'mirror_sync_push',
  'mirror_sync_create',
  'mirror_sync_delete',
  'approve_pull_request',
  'reject_pull_request',
  'comment_pull',
  'publish_release',
  'pull_review_dismissed',
  'pull_request_ready_for_review',
  'auto_merge_pull_request',
] as const;

/** An activity, in the feed of `user_id`. */
export const Activity = define('Activity', {
  id: int64(),
  user_id: int64(),
  op_type: oneOf([...TYPES]),
  act_user_id: int64(),
  act_user: nullable(ref(User)),
  repo_id: int64(),
  repo: nullable(ref(Repository)),
  comment_id: int64(),
  comment: nullable(ref(Comment)),
  ref_name: string(),
  is_private: boolean(),
  content: string(),
  created: timestamp(),
});

/** Seconds since 1970. */
export const TimeStamp = defineAs('TimeStamp', int64());

/** How much a user did in a quarter of an hour. */
export const UserHeatmapData = define('UserHeatmapData', {
  timestamp: ref(TimeStamp),
  contributions: int64(),
});
