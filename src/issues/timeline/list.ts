import type { Context } from '../../context.ts';
import type { CommentRow, TimelineKind } from '../../database/tables/issues.ts';
import type { Page } from '../../http/paging.ts';
import type { TimeRange } from '../../http/time-range.ts';
import type { Issue } from '../find.ts';
import { isPublished } from '../pending.ts';

/** The filter of timeline rows. */
export interface TimelineFilter extends TimeRange {
  /** Kinds to leave out. */
  readonly without?: readonly TimelineKind[];
}

/** The timeline of an issue, oldest first; comments on code belong to their reviews. */
export function timelineOf(
  context: Context,
  issue: Issue,
  { since, before, without = [] }: TimelineFilter,
  page: Page,
): Promise<CommentRow[]> {
  return context.db
    .selectFrom('comments')
    .selectAll()
    .where('issue_id', '=', issue.id)
    .$if(issue.is_pull, (comments) => comments.where(isPublished(context)))
    .$if(without.length > 0, (comments) => comments.where('kind', 'not in', without))
    .$if(since !== undefined, (comments) => comments.where('updated_at', '>=', since ?? 0))
    .$if(before !== undefined, (comments) => comments.where('updated_at', '<=', before ?? 0))
    .orderBy('created_at')
    .orderBy('id')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
}

/** The number of all rows of {@link timelineOf}. */
export async function timelineLength(context: Context, issue: Issue, without: readonly TimelineKind[] = []): Promise<number> {
  const { count } = await context.db
    .selectFrom('comments')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('issue_id', '=', issue.id)
    .$if(issue.is_pull, (comments) => comments.where(isPublished(context)))
    .$if(without.length > 0, (comments) => comments.where('kind', 'not in', without))
    .executeTakeFirstOrThrow();
  return Number(count);
}
