import type { Context } from '../../context.ts';
import { countInMilestone } from '../counters.ts';
import { issueEvent } from '../event.ts';
import type { Issue } from '../find.ts';
import { addEvent } from '../timeline/events.ts';

/** Sets the milestone of an issue; null for none. The caller holds the lock of the issues. */
export async function setMilestone(context: Context, issue: Issue, milestoneId: number | null): Promise<void> {
  const before = issue.milestone_id;
  if (before === milestoneId) return;
  await context.db.updateTable('issues').set({ milestone_id: milestoneId }).where('id', '=', issue.id).execute();
  await countInMilestone(context, before, { issues: -1, closed: issue.is_closed ? -1 : 0 });
  await countInMilestone(context, milestoneId, { issues: 1, closed: issue.is_closed ? 1 : 0 });
  await addEvent(context, issue, 'milestone', { old_milestone_id: before, milestone_id: milestoneId });
  await context.events.emit(context, 'issue.milestone-changed', {
    ...issueEvent(context, issue),
    oldMilestoneId: before,
    milestoneId,
  });
}
