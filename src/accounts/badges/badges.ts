import { type Context, inTransaction } from '../../context.ts';
import type { Badge, User } from '../../database/tables/accounts.ts';
import { unprocessable } from '../../http/errors.ts';
import type { Page } from '../../http/paging.ts';

/** Length limit of a slug in characters. */
const MAX_SLUG = 100;
const MAX_DESCRIPTION = 255;
const MAX_URL = 2048;

/** The badges of a user. */
export function listUserBadges({ db }: Context, user: User): Promise<Badge[]> {
  return db
    .selectFrom('user_badges')
    .innerJoin('badges', 'badges.id', 'user_badges.badge_id')
    .selectAll('badges')
    .where('user_badges.user_id', '=', user.id)
    .orderBy('badges.id')
    .execute();
}

/**
 * Adds badges to a user, all or none.
 * @throws HttpError 422 for a badge that does not exist or that the user has
 */
export async function addUserBadges(context: Context, user: User, slugs: readonly string[]): Promise<void> {
  await inTransaction(context, async ({ db }) => {
    for (const slug of slugs) {
      const badge = await db.selectFrom('badges').select('id').where('slug', '=', slug).executeTakeFirst();
      if (!badge) throw unprocessable(`badge does not exist [slug: ${slug}]`);
      const given = await db
        .insertInto('user_badges')
        .values({ user_id: user.id, badge_id: badge.id })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      if (!given.numInsertedOrUpdatedRows) throw unprocessable(`user badge already exists [user_id: ${user.id}, badge_id: ${badge.id}]`);
    }
  });
}

/** Removes badges from a user; those that the user does not have are ignored. */
export async function removeUserBadges({ db }: Context, user: User, slugs: readonly string[]): Promise<void> {
  if (slugs.length === 0) return;
  await db
    .deleteFrom('user_badges')
    .where('user_id', '=', user.id)
    .where('badge_id', 'in', (select) =>
      select
        .selectFrom('badges')
        .select('id')
        .where('slug', 'in', [...slugs]),
    )
    .execute();
}

/** All badges. */
export function listBadges({ db }: Context): Promise<Badge[]> {
  return db.selectFrom('badges').selectAll().orderBy('slug').execute();
}

/**
 * Creates a badge, or updates the description and image of an existing one.
 * @throws HttpError 422 for an invalid slug, and for a text that is too long or an invalid URL
 */
export async function saveBadge({ db }: Context, badge: Omit<Badge, 'id'>): Promise<void> {
  if (!/^[\w-]+$/.test(badge.slug) || badge.slug.length > MAX_SLUG) throw unprocessable('[Slug]: AlphaDash');
  const { description, image_url } = badge;
  if (description.length > MAX_DESCRIPTION) throw unprocessable(`[Description]: MaxSize ${MAX_DESCRIPTION}`);
  if (image_url !== '' && !isAddress(image_url)) throw unprocessable('[ImageURL]: Url');
  await db
    .insertInto('badges')
    .values(badge)
    .onConflict((conflict) => conflict.column('slug').doUpdateSet({ description, image_url }))
    .execute();
}

function isAddress(url: string): boolean {
  return url.length <= MAX_URL && /^https?:/i.test(url) && URL.canParse(url);
}

/** The badge with this slug. */
export function findBadge({ db }: Context, slug: string): Promise<Badge | undefined> {
  return db.selectFrom('badges').selectAll().where('slug', '=', slug).executeTakeFirst();
}

/** The users with a badge, and their number. */
export async function listHolders({ db }: Context, { id }: Badge, page: Page): Promise<{ users: User[]; total: number }> {
  const found = db.selectFrom('user_badges').innerJoin('users', 'users.id', 'user_badges.user_id').where('user_badges.badge_id', '=', id);
  const { total } = await found.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const users = await found.selectAll('users').orderBy('users.id').limit(page.limit).offset(page.offset).execute();
  return { users, total: Number(total) };
}

/** Deletes a badge, also from all users; returns whether there was one. */
export async function deleteBadge({ db }: Context, slug: string): Promise<boolean> {
  return (await db.deleteFrom('badges').where('slug', '=', slug).executeTakeFirst()).numDeletedRows > 0n;
}
