import { sql } from 'kysely';
import { now } from '../clock.ts';
import type { Context } from '../context.ts';
import type { User } from '../database/tables/accounts.ts';
import { seen } from './feeds.ts';

/** A quarter of an hour: zones differ by such. */
const QUARTER = 900;
/** A year and the week in which it begins. */
const SPAN = (366 + 7) * 24 * 3600;

/** How much a user did, or others in the repositories of an organization, by quarters of an hour; nothing of who keeps that private. */
export async function heatmap(context: Context, user: User): Promise<{ timestamp: number; contributions: number }[]> {
  const { actor } = context;
  if (user.keep_activity_private && !actor?.is_admin && actor?.id !== user.id) return [];
  const quarter = sql<number>`activities.created_at / ${sql.lit(QUARTER)} * ${sql.lit(QUARTER)}`;
  const rows = await seen(context, { owner: user, onlyPerformed: user.type !== 'organization', withPrivate: true })
    .where('activities.created_at', '>', now() - SPAN)
    .select((select) => [quarter.as('timestamp'), select.fn.countAll().as('contributions')])
    .groupBy(quarter)
    .orderBy('timestamp')
    .execute();
  return rows.map(({ timestamp, contributions }) => ({ timestamp: Number(timestamp), contributions: Number(contributions) }));
}
