import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import type { Notice } from '../../database/tables/platform.ts';
import { notFound } from '../../http/errors.ts';
import type { Page } from '../../http/paging.ts';

/** Errors of background work, newest first. */
export async function listNotices({ db }: Pick<Context, 'db'>, page: Page): Promise<{ notices: Notice[]; total: number }> {
  const { total } = await db
    .selectFrom('notices')
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const notices = await db
    .selectFrom('notices')
    .selectAll()
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return { notices, total: Number(total) };
}

/** @throws HttpError 404 */
export async function deleteNotice({ db }: Pick<Context, 'db'>, id: number): Promise<void> {
  const deleted = await db.deleteFrom('notices').where('id', '=', id).executeTakeFirst();
  if (deleted.numDeletedRows === 0n) throw notFound();
}

/** Removes all notices up to one that was shown: newer ones remain, since nobody has seen them. */
export async function emptyNotices({ db }: Pick<Context, 'db'>, shownAt: number): Promise<void> {
  await db.deleteFrom('notices').where('updated_at', '<=', shownAt).execute();
}

/** Removes notices that are older than the settings keep them. */
export async function deleteOldNotices({ db, settings }: Pick<Context, 'db' | 'settings'>): Promise<void> {
  const before = now() - Math.ceil(settings.jobs.noticeLifetime / 1000);
  await db.deleteFrom('notices').where('updated_at', '<', before).execute();
}
