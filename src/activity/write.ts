import { setImmediate } from 'node:timers/promises';
import type { Repository } from '../access/find-repository.ts';
import { findUserById } from '../access/find-user.ts';
import { ACTIONS_ID } from '../accounts/users/ghost.ts';
import { type Context, inTransaction } from '../context.ts';
import type { ActivityType } from '../database/tables/activity.ts';
import type { StoredEvent } from '../events/events.ts';

/** Watchers whose feeds are written at once. */
const BATCH = 1000;

/** What happened, before it is written. */
export interface NewActivity {
  type: ActivityType;
  issueId?: number;
  commentId?: number;
  ref?: string;
  content?: string;
}

/**
 * Writes what an event tells, once however often it is handed on, and puts it into the feeds of its actor, of the organization
 * that owns the repository and of those who watch it. Who may see it is found out when a feed is read (lesson 11).
 */
export async function writeActivities(
  context: Context,
  event: StoredEvent,
  { repository, actorId }: { repository: Repository; actorId: number },
  activities: readonly NewActivity[],
): Promise<void> {
  await inTransaction(context, async ({ db }) => {
    // Automation acts, too, but has no feed; who is gone has none any more.
    if (actorId !== ACTIONS_ID && !(await findUserById(db, actorId))) return;
    for (const [part, activity] of activities.entries()) {
      const row = await db
        .insertInto('activities')
        .values({
          event_id: event.id,
          part,
          type: activity.type,
          actor_id: actorId,
          repository_id: repository.id,
          issue_id: activity.issueId ?? null,
          comment_id: activity.commentId ?? null,
          ref: activity.ref ?? '',
          content: activity.content ?? '',
          created_at: event.createdAt,
        })
        .onConflict((conflict) => conflict.columns(['event_id', 'part']).doNothing())
        .returning('id')
        .executeTakeFirst();
      if (row) await feed({ db }, row.id, repository, actorId);
    }
  });
}

async function feed({ db }: Pick<Context, 'db'>, activityId: number, { id, owner }: Repository, actorId: number): Promise<void> {
  const first = new Set([...(actorId > 0 ? [actorId] : []), ...(owner.type === 'organization' ? [owner.id] : [])]);
  if (first.size > 0) {
    const rows = [...first].map((userId) => ({ user_id: userId, activity_id: activityId }));
    await db.insertInto('activity_feeds').values(rows).execute();
  }
  const watchers = db
    .selectFrom('watches')
    .innerJoin('users', 'users.id', 'watches.user_id')
    .where('watches.repository_id', '=', id)
    .where('watches.mode', '!=', 'ignored')
    .where('users.is_active', '=', true)
    .where('users.prohibit_login', '=', false)
    .where('watches.user_id', 'not in', [0, ...first]);
  let last = 0;
  for (;;) {
    // Up to the last of a batch: one statement for all watchers would hold up everybody else.
    const { end, count } = await db
      .selectFrom(
        watchers.select('watches.user_id').where('watches.user_id', '>', last).orderBy('watches.user_id').limit(BATCH).as('batch'),
      )
      .select((select) => [select.fn.max('user_id').as('end'), select.fn.countAll<number>().as('count')])
      .executeTakeFirstOrThrow();
    if (end === null) return;
    const upTo = Number(end);
    await db
      .insertInto('activity_feeds')
      .columns(['user_id', 'activity_id'])
      .expression(
        watchers
          .select((select) => ['watches.user_id', select.val(activityId).$castTo<number>().as('activity_id')])
          .where('watches.user_id', '>', last)
          .where('watches.user_id', '<=', upTo),
      )
      .execute();
    if (Number(count) < BATCH) return;
    last = upTo;
    await setImmediate();
  }
}
