import type { Context } from '../../context.ts';
import type { CommentRow } from '../../database/tables/issues.ts';
import type { Issue } from '../../issues/find.ts';
import { addEvent } from '../../issues/timeline/events.ts';

/** Maximum number of commits in one row, the latest. */
export const MAX_NAMED_COMMITS = 1000;

/** The JSON body of a row of the kind `pull_push`. */
export interface PushContent {
  is_force_push: boolean;
  /** Oldest first; after a forced push the old and the new head. */
  commit_ids: string[];
}

/** Records new commits, or a forced push, in the timeline. The caller holds the lock of the issues. */
export function addPushEvent(context: Context, issue: Pick<Issue, 'id' | 'repository_id'>, content: PushContent): Promise<CommentRow> {
  const { is_force_push, commit_ids } = content;
  return addEvent(context, issue, 'pull_push', { body: JSON.stringify({ is_force_push, commit_ids }) });
}
