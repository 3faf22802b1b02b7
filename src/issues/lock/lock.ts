import type { Context } from '../../context.ts';
import { changingIssue, type Issue } from '../find.ts';
import { addEvent } from '../timeline/events.ts';

/** Locks the conversation of an issue, so that only who may write to it comments and reacts; one that is locked stays as it is. */
export async function lockIssue(context: Context, issue: Issue, reason: string): Promise<void> {
  await setLock(context, issue, true, reason);
}

/** Opens a locked conversation again. */
export async function unlockIssue(context: Context, issue: Issue): Promise<void> {
  await setLock(context, issue, false, '');
}

async function setLock(context: Context, issue: Issue, isLocked: boolean, reason: string): Promise<void> {
  await changingIssue(context, issue, async (context, issue) => {
    if (issue.is_locked === isLocked) return;
    await context.db.updateTable('issues').set({ is_locked: isLocked, lock_reason: reason }).where('id', '=', issue.id).execute();
    await addEvent(context, issue, isLocked ? 'lock' : 'unlock', { body: reason });
  });
}
