import { repositoryAccess } from '../../access/repository-access.ts';
import { signedInActor } from '../../accounts/sign-in/actor.ts';
import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { StopwatchRow } from '../../database/tables/issue-activity.ts';
import { conflict } from '../../http/errors.ts';
import { canReadIssue, changingIssue, findIssuesById, type Issue } from '../find.ts';
import { addEvent } from '../timeline/events.ts';
import { durationInWords } from '../times/duration.ts';
import { insertTime } from '../times/times.ts';

/** The running stopwatch of a user with its issue, if the user can read that. */
export async function runningStopwatch(context: Context, user: User): Promise<{ stopwatch: StopwatchRow; issue: Issue } | undefined> {
  const stopwatch = await runningOf(context.db, user);
  const issue = stopwatch && (await readableIssue(context, stopwatch, user));
  return stopwatch && issue && { stopwatch, issue };
}

function runningOf(db: Db, user: User): Promise<StopwatchRow | undefined> {
  return db.selectFrom('stopwatches').selectAll().where('user_id', '=', user.id).executeTakeFirst();
}

async function readableIssue(context: Context, { issue_id: id }: StopwatchRow, user: User): Promise<Issue | undefined> {
  const issue = (await findIssuesById(context.db, [id])).get(id);
  return issue && canReadIssue(await repositoryAccess(context, issue.repository, user), issue) ? issue : undefined;
}

/**
 * Starts the caller's stopwatch on an issue; one on another issue is stopped, and its time logged there.
 * @throws HttpError 409 when it is running on this one already
 */
export async function startStopwatch(context: Context, issue: Issue): Promise<void> {
  const actor = signedInActor(context);
  const before = await runningStopwatch(context, actor);
  await changingIssue(
    context,
    issue,
    async (context, issue) => {
      const running = await runningOf(context.db, actor);
      if (running?.issue_id === issue.id) throw conflict('cannot start a stopwatch again if it already exists');
      if (running) {
        const other = await readableIssue(context, running, actor);
        if (other) await finish(context, other, actor, running);
        else await remove(context, running);
      }
      await context.db.insertInto('stopwatches').values({ user_id: actor.id, issue_id: issue.id, created_at: now() }).execute();
      await addEvent(context, issue, 'start_tracking');
    },
    before ? [before.issue.repository_id] : [],
  );
}

/**
 * Stops the caller's stopwatch on an issue and logs its time.
 * @throws HttpError 409 when none is running
 */
export async function stopStopwatch(context: Context, issue: Issue): Promise<void> {
  await changingIssue(context, issue, async (context, issue) => {
    if (!(await stopIfRunning(context, issue))) throw conflict('cannot stop a non-existent stopwatch');
  });
}

/** {@link stopStopwatch} if one is running, as part of a change; returns whether one was. */
export async function stopIfRunning(context: Context, issue: Issue): Promise<boolean> {
  const { actor } = context;
  const running = actor && (await runningOf(context.db, actor));
  if (!running || running.issue_id !== issue.id) return false;
  await finish(context, issue, actor, running);
  return true;
}

/**
 * Stops the caller's stopwatch on an issue without logging its time.
 * @throws HttpError 409 when none is running
 */
export async function cancelStopwatch(context: Context, issue: Issue): Promise<void> {
  await changingIssue(context, issue, async (context, issue) => {
    const running = await runningOf(context.db, signedInActor(context));
    if (running?.issue_id !== issue.id) throw conflict('cannot cancel a non-existent stopwatch');
    await remove(context, running);
    await addEvent(context, issue, 'cancel_tracking');
  });
}

async function finish(context: Context, issue: Issue, user: User, running: StopwatchRow): Promise<void> {
  const seconds = Math.max(0, now() - running.created_at);
  await remove(context, running);
  const time = await insertTime(context, issue, user.id, seconds);
  await addEvent(context, issue, 'stop_tracking', { body: durationInWords(seconds), tracked_time_id: time.id });
}

async function remove({ db }: Context, { user_id: userId }: StopwatchRow): Promise<void> {
  await db.deleteFrom('stopwatches').where('user_id', '=', userId).execute();
}
