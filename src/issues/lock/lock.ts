import type { Context } from '../../context.ts';
import { changingIssue, type Issue } from '../find.ts';
import { addEvent } from '../timeline/events.ts';

/** Locks the conversation of an issue, so that only writers comment and react; a locked one stays unchanged. */
export async function lockIssue(context: Context, issue: Issue, reason: string): Promise<void> {
  await setLock(context, issue, true, reason);
}

/** Unlocks a conversation. */
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
