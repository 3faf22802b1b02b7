import type { Context } from '../context.ts';
import { deleteReferring } from '../database/delete-referring.ts';
import { removeAttachments } from './attachments/remove.ts';
import { countEverywhere } from './counters.ts';
import { issueEvent } from './event.ts';
import { changingIssue, type Issue } from './find.ts';

/** Deletes an issue with everything that belongs to it, and references to it in other timelines. Its number is not reused. */
export async function deleteIssue(context: Context, issue: Issue): Promise<void> {
  await changingIssue(context, issue, async (context, issue) => {
    const event = { ...issueEvent(context, issue), number: issue.number, isPull: issue.is_pull };
    await context.events.emit(context, 'issue.deleting', event);
    await countEverywhere(context, issue, { issues: -1, closed: issue.is_closed ? -1 : 0 });
    await removeAttachments(context, { issue_id: issue.id });
    await deleteReferring(context, 'issues', [issue.id]);
    await context.db.deleteFrom('issues').where('id', '=', issue.id).execute();
    await context.events.emit(context, 'issue.deleted', event);
  });
}
