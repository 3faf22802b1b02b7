import { findRepositories } from '../../access/find-repository.ts';
import { repositoriesAccess, repositoryAccess } from '../../access/repository-access.ts';
import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { prepared } from '../../database/prepared.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { TrackedTimeRow } from '../../database/tables/issue-activity.ts';
import { HttpError, notFound, unprocessable } from '../../http/errors.ts';
import type { Page } from '../../http/paging.ts';
import { pathId } from '../../http/path-id.ts';
import type { TimeRange } from '../../http/time-range.ts';
import { canReadIssue, changingIssue, type Issue } from '../find.ts';
import { addEvent } from '../timeline/events.ts';
import { durationInWords } from './duration.ts';
import { trackingForbidden } from './tracking.ts';

/** The filter of entries; undefined means any. */
export interface TimesFilter {
  issueId?: number | undefined;
  repositoryId?: number | undefined;
  userId?: number | undefined;
  /** By when it was logged. */
  span?: TimeRange;
}

/** Entries in the order of logging, those of a repository grouped by issue, with the number of all. */
export async function listTimes(
  context: Context,
  filter: TimesFilter,
  page: Pick<Page, 'limit' | 'offset'>,
): Promise<{ times: TrackedTimeRow[]; total: number }> {
  const found = wanted(context, filter);
  const { total } = await found.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const times = await found
    .selectAll('tracked_times')
    .$if(filter.repositoryId !== undefined, (query) => query.orderBy('tracked_times.issue_id'))
    .orderBy('tracked_times.id')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return { times, total: Number(total) };
}

function wanted({ db }: Context, { issueId, repositoryId, userId, span }: TimesFilter) {
  return db
    .selectFrom('tracked_times')
    .innerJoin('issues', 'issues.id', 'tracked_times.issue_id')
    .where('tracked_times.is_deleted', '=', false)
    .$if(issueId !== undefined, (query) => query.where('tracked_times.issue_id', '=', issueId ?? 0))
    .$if(repositoryId !== undefined, (query) => query.where('issues.repository_id', '=', repositoryId ?? 0))
    .$if(userId !== undefined, (query) => query.where('tracked_times.user_id', '=', userId ?? 0))
    .$if(span?.since !== undefined, (query) => query.where('tracked_times.created_at', '>=', span?.since ?? 0))
    .$if(span?.before !== undefined, (query) => query.where('tracked_times.created_at', '<=', span?.before ?? 0));
}

/** The entries of a user in all repositories whose issues that user can still read. */
export async function listOwnTimes(
  context: Context,
  user: User,
  span: TimeRange,
  page: Page,
): Promise<{ times: TrackedTimeRow[]; total: number }> {
  const found = wanted(context, { userId: user.id, span });
  const rows = await found.select('issues.repository_id').distinct().execute();
  const repositories = await findRepositories(
    context.db,
    rows.map((row) => row.repository_id),
  );
  const access = await repositoriesAccess(context, repositories, user);
  const idsWith = (unit: 'issues' | 'pulls') => [0, ...repositories.filter(({ id }) => access.get(id)?.canRead(unit)).map(({ id }) => id)];
  const readable = found.where((where) =>
    where.or([
      where.and([where('issues.is_pull', '=', false), where('issues.repository_id', 'in', idsWith('issues'))]),
      where.and([where('issues.is_pull', '=', true), where('issues.repository_id', 'in', idsWith('pulls'))]),
    ]),
  );
  const { total } = await readable.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const times = await readable.selectAll('tracked_times').orderBy('tracked_times.id').limit(page.limit).offset(page.offset).execute();
  return { times, total: Number(total) };
}

const secondsPerUser = prepared((db, issueId: number) =>
  db
    .selectFrom('tracked_times')
    .innerJoin('users', 'users.id', 'tracked_times.user_id')
    .where('tracked_times.issue_id', '=', issueId)
    .where('tracked_times.is_deleted', '=', false)
    .groupBy('users.name')
    .orderBy('users.name')
    .limit(100)
    .select(['users.name', (select) => select.fn.sum<number>('tracked_times.seconds').as('seconds')]),
);

/** The seconds that each user spent on an issue, by name; at most a hundred users. */
export async function timePerUser({ db }: Context, { id }: Issue): Promise<{ name: string; seconds: number }[]> {
  const rows = await secondsPerUser(db, id);
  return rows.map(({ name, seconds }) => ({ name, seconds: Number(seconds) }));
}

/** The newest entries of an issue that a user may delete: the user's own, for administrators all of them. */
export function listDeletableTimes({ db }: Context, { id }: Issue, user: User, limit: number): Promise<TrackedTimeRow[]> {
  return db
    .selectFrom('tracked_times')
    .selectAll()
    .where('issue_id', '=', id)
    .where('is_deleted', '=', false)
    .$if(!user.is_admin, (query) => query.where('user_id', '=', user.id))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** A hundred years. */
export const MAX_SECONDS = 100 * 365 * 24 * 3600;

/**
 * Logs time for a user.
 * @param seconds may be negative, to correct an earlier entry
 * @param at when the work was done, in seconds
 * @throws HttpError 422 for an invalid time, and for a user who cannot read the issue
 */
export async function addTime(context: Context, issue: Issue, user: User, seconds: number, at = now()): Promise<TrackedTimeRow> {
  if (Math.abs(seconds) > MAX_SECONDS) throw unprocessable(`[Time]: more than ${MAX_SECONDS} seconds`);
  if (!canReadIssue(await repositoryAccess(context, issue.repository, user), issue)) {
    throw unprocessable(`user doesn't have access to repo [user_id: ${user.id}, repo_name: ${issue.repository.name}]`);
  }
  return changingIssue(context, issue, async (context, issue) => {
    const time = await insertTime(context, issue, user.id, seconds, at);
    const details = { body: durationInWords(seconds), tracked_time_id: time.id };
    await addEvent({ ...context, actor: user }, issue, 'add_time_manual', details);
    return time;
  });
}

/** Inserts an entry. Part of a change. */
export function insertTime({ db }: Context, issue: Issue, userId: number, seconds: number, at = now()): Promise<TrackedTimeRow> {
  return db
    .insertInto('tracked_times')
    .values({ issue_id: issue.id, user_id: userId, seconds, worked_at: at, created_at: now() })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/**
 * Deletes all entries of a user on an issue.
 * @throws HttpError 404 when there are none
 */
export async function resetTimes(context: Context, issue: Issue, user: User): Promise<void> {
  await changingIssue(context, issue, async (context, issue) => {
    const removed = await context.db
      .updateTable('tracked_times')
      .set({ is_deleted: true })
      .where('issue_id', '=', issue.id)
      .where('user_id', '=', user.id)
      .where('is_deleted', '=', false)
      .returning('seconds')
      .execute();
    if (removed.length === 0) throw new HttpError(404, 'tracked_time does not exist');
    const seconds = removed.reduce((sum, row) => sum + row.seconds, 0);
    await addEvent({ ...context, actor: user }, issue, 'delete_time_manual', { body: durationInWords(seconds) });
  });
}

/**
 * Deletes one entry of an issue: the caller's own, or any for an administrator. The timeline records it in the
 * name of the entry's user.
 * @throws HttpError 404, 403
 */
export async function deleteTime(context: Context, issue: Issue, id: string, actor: User): Promise<void> {
  await changingIssue(context, issue, async (context, issue) => {
    const { db } = context;
    const time = await db
      .selectFrom('tracked_times')
      .selectAll()
      .where('id', '=', pathId(id))
      .where('issue_id', '=', issue.id)
      .executeTakeFirst();
    if (!time) throw notFound([`tracked_time does not exist${pathId(id) === 0 ? '' : ` [id: ${pathId(id)}]`}`]);
    if (time.is_deleted) throw notFound(null, 'tracked time was already deleted');
    if (time.user_id !== actor.id && !actor.is_admin) throw trackingForbidden();
    await db.updateTable('tracked_times').set({ is_deleted: true }).where('id', '=', time.id).execute();
    const user = await db.selectFrom('users').selectAll().where('id', '=', time.user_id).executeTakeFirst();
    await addEvent({ ...context, actor: user ?? null }, issue, 'delete_time_manual', { body: durationInWords(time.seconds) });
  });
}
