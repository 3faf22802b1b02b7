import { now } from '../clock.ts';
import type { Context } from '../context.ts';
import type { Events } from '../events/events.ts';

/** Activities removed at once, so that other requests can write in between. */
const BATCH = 1000;

/** Deletes the activities of a deleted account from all feeds. */
export async function deleteActivitiesOf({ userId }: Events['user.deleting'], { db }: Context): Promise<void> {
  await db.deleteFrom('activities').where('actor_id', '=', userId).execute();
}

/** Deletes activities older than `jobs.activityLifetime`; none if that is 0. */
export async function deleteOldActivities({ db, settings }: Context): Promise<void> {
  const lifetime = settings.jobs.activityLifetime;
  if (lifetime <= 0) return;
  const before = now() - Math.floor(lifetime / 1000);
  for (;;) {
    const { numDeletedRows } = await db
      .deleteFrom('activities')
      .where('id', 'in', (old) => old.selectFrom('activities').select('id').where('created_at', '<', before).limit(BATCH))
      .executeTakeFirstOrThrow();
    if (Number(numDeletedRows) < BATCH) return;
  }
}
