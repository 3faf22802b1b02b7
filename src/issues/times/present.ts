import type { Context } from '../../context.ts';
import type { TrackedTimeRow } from '../../database/tables/issue-activity.ts';
import { type Shape, wireTime } from '../../http/schema.ts';
import { findIssuesById } from '../find.ts';
import { findPeople } from '../people.ts';
import { presentIssues } from '../present.ts';
import type { TrackedTime } from './schema.ts';

/** Tracked times on the wire, each with its issue. */
export async function presentTimes(context: Context, times: readonly TrackedTimeRow[]): Promise<Shape<typeof TrackedTime>[]> {
  if (times.length === 0) return [];
  const userIds = times.map((time) => time.user_id);
  const issues = await findIssuesById(
    context.db,
    times.map((time) => time.issue_id),
  );
  const presented = new Map((await presentIssues(context, [...issues.values()])).map((issue) => [issue.id, issue]));
  const people = await findPeople(context.db, userIds, [context.actor]);
  return times.map((time) => ({
    id: time.id,
    created: wireTime(time.worked_at),
    time: time.seconds,
    user_id: time.user_id,
    user_name: people(time.user_id).name,
    issue_id: time.issue_id,
    issue: presented.get(time.issue_id) ?? null,
  }));
}

/** The entries with these ids, including deleted ones, for timelines that refer to them. */
export async function presentTimesById(context: Context, ids: readonly number[]): Promise<Shape<typeof TrackedTime>[]> {
  if (ids.length === 0) return [];
  const rows = await context.db
    .selectFrom('tracked_times')
    .selectAll()
    .where('id', 'in', [...ids])
    .execute();
  return presentTimes(context, rows);
}
