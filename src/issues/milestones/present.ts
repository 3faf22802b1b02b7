import type { MilestoneRow } from '../../database/tables/issues.ts';
import { type Shape, wireTime } from '../../http/schema.ts';
import type { Milestone } from './schema.ts';

/** A milestone on the wire. */
export function presentMilestone(milestone: MilestoneRow): Shape<typeof Milestone> {
  return {
    id: milestone.id,
    title: milestone.title,
    description: milestone.description,
    state: milestone.is_closed ? 'closed' : 'open',
    open_issues: milestone.issues_count - milestone.closed_issues_count,
    closed_issues: milestone.closed_issues_count,
    created_at: wireTime(milestone.created_at),
    updated_at: wireTime(milestone.updated_at),
    closed_at: milestone.is_closed ? wireTime(milestone.closed_at) : null,
    // A date before 1970 is not a due date.
    due_on: milestone.deadline_at !== null && milestone.deadline_at > 0 ? wireTime(milestone.deadline_at) : null,
  };
}
