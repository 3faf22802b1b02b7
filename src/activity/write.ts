import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Repository } from '../access/find-repository.ts';
import { findUserById } from '../access/find-user.ts';
import { ACTIONS_ID } from '../accounts/users/ghost.ts';
import { type Context, inTransaction } from '../context.ts';
import { prepared } from '../database/prepared.ts';
import type { User } from '../database/tables/accounts.ts';
import type { ActivityType } from '../database/tables/activity.ts';
import type { StoredEvent } from '../events/events.ts';

/** Number of watchers whose feeds are written at once. */
const BATCH = 1000;

/** An activity before it is written. */
export interface NewActivity {
  type: ActivityType;
  issueId?: number;
  commentId?: number;
  ref?: string;
  content?: string;
}

/** What is needed of the repository where something happened. */
export interface Place extends Pick<Repository, 'id'> {
  readonly owner: Pick<User, 'id' | 'type'>;
}

const insert = prepared(
  (
    db,
    event_id: number,
    part: number,
    type: ActivityType,
    actor_id: number,
    repository_id: number,
    issue_id: number | null,
    comment_id: number | null,
    ref: string,
    content: string,
    created_at: number,
  ) =>
    db
      .insertInto('activities')
      .values({ event_id, part, type, actor_id, repository_id, issue_id, comment_id, ref, content, created_at })
      .onConflict((conflict) => conflict.columns(['event_id', 'part']).doNothing())
      .returning('id'),
);

const feedOne = prepared((db, activity_id: number, user_id: number) => db.insertInto('activity_feeds').values({ activity_id, user_id }));
const feedTwo = prepared((db, activity_id: number, one: number, other: number) =>
  db.insertInto('activity_feeds').values([one, other].map((user_id) => ({ activity_id, user_id }))),
);

/** A batch of watchers after `last`, without actor and owner: one statement for all would hold up everybody else. */
const feedWatchers = prepared((db, activityId: number, repositoryId: number, actorId: number, ownerId: number, last: number) =>
  db
    .insertInto('activity_feeds')
    .columns(['user_id', 'activity_id'])
    .expression(
      db
        .selectFrom('watches')
        .innerJoin('users', 'users.id', 'watches.user_id')
        .select(['watches.user_id', sql<number>`cast(${activityId} as integer)`.as('activity_id')])
        .where('watches.repository_id', '=', repositoryId)
        .where('watches.mode', '!=', 'ignored')
        .where('users.is_active', '=', true)
        .where('users.prohibit_login', '=', false)
        .where('watches.user_id', 'not in', [actorId, ownerId])
        .where('watches.user_id', '>', last)
        .orderBy('watches.user_id')
        .limit(BATCH),
    )
    .returning('user_id'),
);

/**
 * Writes the activity of an event, once for any number of deliveries, and puts it into the feeds of its actor, of the organization that
 * owns the repository and of those who watch it. Who may see it is checked when a feed is read.
 * @param first the number of the first of these among the activities of the event
 */
export async function writeActivities(
  context: Context,
  event: StoredEvent,
  { repository, actorId }: { repository: Place; actorId: number },
  activities: readonly NewActivity[],
  first = 0,
): Promise<void> {
  await inTransaction(context, async ({ db }) => {
    // Automation acts, too, but has no feed; who is gone has none any more.
    if (actorId !== ACTIONS_ID && !(await findUserById(db, actorId))) return;
    for (const [part, activity] of activities.entries()) {
      const { type, issueId = null, commentId = null, ref = '', content = '' } = activity;
      const [row] = await insert(
        db,
        event.id,
        first + part,
        type,
        actorId,
        repository.id,
        issueId,
        commentId,
        ref,
        content,
        event.createdAt,
      );
      if (row) await feed({ db }, row.id, repository, actorId);
    }
  });
}

async function feed({ db }: Pick<Context, 'db'>, activityId: number, { id, owner }: Place, actorId: number): Promise<void> {
  const ownerId = owner.type === 'organization' ? owner.id : 0;
  const [one, other] = [...new Set([actorId, ownerId])].filter((userId) => userId > 0);
  if (one && other) await feedTwo(db, activityId, one, other);
  else if (one) await feedOne(db, activityId, one);
  let last = 0;
  for (;;) {
    const batch = await feedWatchers(db, activityId, id, actorId, ownerId, last);
    if (batch.length < BATCH) return;
    last = Math.max(...batch.map((row) => row.user_id));
    await setImmediate();
  }
}
