import type { SelectQueryBuilder } from 'kysely';
import { now } from '../clock.ts';
import type { Context } from '../context.ts';
import { deleteReferring } from '../database/delete-referring.ts';
import type { Tables } from '../database/tables.ts';
import type { Events } from '../events/events.ts';

/** Activities removed at once, so that other requests can write in between. */
const BATCH = 500;

/** Deletes the activities of a deleted account from all feeds. */
export async function deleteActivitiesOf({ userId }: Events['user.deleting'], context: Context): Promise<void> {
  await deleteInBatches(context, (old) => old.where('actor_id', '=', userId));
}

/** Deletes activities older than `jobs.activityLifetime`; none if that is 0. */
export async function deleteOldActivities(context: Context): Promise<void> {
  const lifetime = context.settings.jobs.activityLifetime;
  if (lifetime <= 0) return;
  const before = now() - Math.floor(lifetime / 1000);
  await deleteInBatches(context, (old) => old.where('created_at', '<', before));
}

type Query = SelectQueryBuilder<Tables, 'activities', { id: number }>;

async function deleteInBatches(context: Context, matching: (activities: Query) => Query): Promise<void> {
  const { db } = context;
  for (;;) {
    const rows = await matching(db.selectFrom('activities').select('id')).limit(BATCH).execute();
    if (rows.length === 0) return;
    const ids = rows.map(({ id }) => id);
    await deleteReferring(context, 'activities', ids);
    await db.deleteFrom('activities').where('id', 'in', ids).execute();
  }
}
