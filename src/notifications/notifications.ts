import type { SelectQueryBuilder } from 'kysely';
import { now } from '../clock.ts';
import { afterCommit, type Context, inTransaction } from '../context.ts';
import type { Db } from '../database/database.ts';
import { deleteInBatches } from '../database/delete-in-batches.ts';
import { prepared, preparedPages } from '../database/prepared.ts';
import type { User } from '../database/tables/accounts.ts';
import type { NotificationRow, NotificationSource, NotificationStatus } from '../database/tables/issue-activity.ts';
import type { Tables } from '../database/tables.ts';
import type { Events } from '../events/events.ts';
import { forbidden, notFoundBecause } from '../http/errors.ts';
import type { Page } from '../http/paging.ts';
import { pathId } from '../http/path-id.ts';
import type { TimeRange } from '../http/time-range.ts';
import { subjects } from '../processes/subjects.ts';

/** The requested threads; an empty list means all. */
export interface ThreadFilter {
  userId: number;
  repositoryId?: number | undefined;
  statuses?: readonly NotificationStatus[];
  sources?: readonly NotificationSource[];
  /** By the time of the last event. */
  span?: TimeRange;
}

/** Threads in a response that has no pages. */
const MAX_UNPAGED = 1000;
/** Threads that are marked before others are served. */
const MARKED_AT_ONCE = 500;

/** Threads, the last updated first, with the number of all. */
export async function listThreads(
  { db }: Context,
  filter: ThreadFilter,
  page: Page,
): Promise<{ threads: NotificationRow[]; total: number }> {
  const { userId, statuses = [], repositoryId, sources = [], span } = filter;
  if (repositoryId === undefined && sources.length === 0 && span?.since === undefined && span?.before === undefined) {
    const { count, page: pageOf } = inboxOf(statuses);
    const [counted] = await count(db, userId);
    return { threads: await pageOf(db, page, userId), total: Number(counted?.total ?? 0) };
  }
  const { total } = await counting(db, filter).executeTakeFirstOrThrow();
  const threads = await pageOfThreads(db, filter, page).execute();
  return { threads, total: Number(total) };
}

function counting(db: Db, filter: ThreadFilter) {
  return wanted(db, filter).select((select) => select.fn.countAll<number>().as('total'));
}

/** Ids first: whole rows of all that match would be sorted. */
function pageOfThreads(db: Db, filter: ThreadFilter, { limit, offset }: Pick<Page, 'limit' | 'offset'>) {
  const ids = latestFirst(wanted(db, filter).select('id'), filter).limit(limit).offset(offset);
  return latestFirst(db.selectFrom('notifications').selectAll().where('id', 'in', ids), filter);
}

/** Clients know this order of threads that were updated in the same second. */
function latestFirst<O>(query: SelectQueryBuilder<Tables, 'notifications', O>, { statuses = [] }: ThreadFilter) {
  return query.orderBy('updated_at', 'desc').orderBy('id', statuses.length > 0 ? 'desc' : 'asc');
}

function inbox(statuses: readonly NotificationStatus[]) {
  return {
    count: prepared((db, userId: number) => counting(db, { userId, statuses }), { isCached: true }),
    page: preparedPages((db, limit, offset, userId: number) => pageOfThreads(db, { userId, statuses }, { limit, offset })),
  };
}

/** The queries for somebody's threads, compiled once, by the statuses that are shown. */
const inboxes = new Map<string, ReturnType<typeof inbox>>();

function inboxOf(given: readonly NotificationStatus[]): ReturnType<typeof inbox> {
  const statuses = [...new Set(given)].toSorted();
  const found = inboxes.get(statuses.join()) ?? inbox(statuses);
  inboxes.set(statuses.join(), found);
  return found;
}

/** How many unread threads a user has. */
export async function countUnread({ db }: Context, userId: number): Promise<number> {
  const { count } = await wanted(db, { userId, statuses: ['unread'] })
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

function wanted(db: Db, { userId, repositoryId, statuses = [], sources = [], span }: ThreadFilter) {
  return db
    .selectFrom('notifications')
    .where('user_id', '=', userId)
    .$if(repositoryId !== undefined, (query) => query.where('repository_id', '=', repositoryId ?? 0))
    .$if(statuses.length > 0, (query) => query.where('status', 'in', [...statuses]))
    .$if(sources.length > 0, (query) => query.where('source', 'in', [...sources]))
    .$if(span?.since !== undefined, (query) => query.where('updated_at', '>=', span?.since ?? 0))
    .$if(span?.before !== undefined, (query) => query.where('updated_at', '<=', span?.before ?? 0));
}

/** Marks threads, which updates them; returns them as they are then, the latest when there are very many. Later ones stay. */
export async function markThreads(context: Context, filter: ThreadFilter, status: NotificationStatus): Promise<NotificationRow[]> {
  const ids = (await wanted(context.db, filter).select('id').orderBy('id').execute()).map(({ id }) => id);
  return await inTransaction(context, async (context) => {
    const set = { status, updated_at: now() };
    let latest: NotificationRow[] = [];
    for (let at = 0; at < ids.length; at += MARKED_AT_ONCE) {
      const some = wanted(context.db, filter).where('id', 'in', ids.slice(at, at + MARKED_AT_ONCE));
      const rows = await context.db.updateTable('notifications').set(set).where('id', 'in', some.select('id')).returningAll().execute();
      latest = [...latest, ...rows].slice(-MAX_UNPAGED);
    }
    tellOwner(context, filter.userId);
    return latest.sort((a, b) => b.id - a.id);
  });
}

/** Marks one thread. */
export async function markThread(
  context: Context,
  { id, user_id: userId }: NotificationRow,
  status: NotificationStatus,
): Promise<NotificationRow> {
  const changed = context.db.updateTable('notifications').set({ status, updated_at: now() }).where('id', '=', id);
  const row = await changed.returningAll().executeTakeFirstOrThrow();
  tellOwner(context, userId);
  return row;
}

/** Open pages show another number. */
function tellOwner(context: Context, userId: number): void {
  afterCommit(context, () => context.wakeUps.notify([subjects.notifications(userId)]));
}

/** Deletes the notifications about a repository that is deleted. */
export async function endThreadsOf({ repositoryId }: Events['repository.deleted'], { db }: Context): Promise<void> {
  await deleteInBatches(db, 'notifications', repositoryId);
}

/**
 * The thread of a path. Administrators may read those of others, but nobody changes them.
 * @throws HttpError 404, 403
 */
export async function findThread({ db }: Context, text: string, actor: User, to: 'read' | 'change'): Promise<NotificationRow> {
  const id = pathId(text);
  const row = await db.selectFrom('notifications').selectAll().where('id', '=', id).executeTakeFirst();
  const digits = /^-?\d+$/.test(text) ? text : '0';
  if (!row) throw notFoundBecause(`notification does not exist${/^-?0+$/.test(digits) ? '' : ` [id: ${digits}]`}`);
  if (row.user_id !== actor.id && !(actor.is_admin && to === 'read')) {
    throw forbidden(`only user itself and admin are allowed to read/change this thread ${id}`);
  }
  return row;
}
