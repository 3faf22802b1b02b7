import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '../database/database.ts';
import type { User } from '../database/tables/accounts.ts';
import type { Tables } from '../database/tables.ts';

/**
 * Whether `viewer` may see a user or an organization at all. A private user is visible to the accounts they follow and to members of the
 * same organization, a private organization to its members.
 */
export async function isUserVisible(db: Db, user: User, viewer: User | null): Promise<boolean> {
  if (viewer && (viewer.is_admin || viewer.id === user.id)) return true;
  if (user.visibility === 'public') return true;
  if (!viewer || viewer.is_restricted) return false;
  if (user.visibility === 'limited') return true;
  const found = await db.selectFrom('users').select('id').where('id', '=', user.id).where(isRelatedTo(viewer)).executeTakeFirst();
  return found !== undefined;
}

/** The condition that lists for `viewer` include rows of `users`: the rules of {@link isUserVisible}. */
export function visibleUsers(viewer: User | null) {
  return (where: ExpressionBuilder<Tables, 'users'>): Expression<SqlBool> => {
    if (viewer?.is_admin) return sql<SqlBool>`1 = 1`;
    if (!viewer) return where('users.visibility', '=', 'public');
    if (viewer.is_restricted) return where.or([where('users.visibility', '=', 'public'), where('users.id', '=', viewer.id)]);
    return where.or([where('users.visibility', '!=', 'private'), where('users.id', '=', viewer.id), isRelatedTo(viewer)(where)]);
  };
}

/**
 * The condition that searches find rows of `users`: stricter than {@link visibleUsers}, since following somebody does not make one
 * searchable, and restricted callers find only themselves and their organizations.
 */
export function searchableUsers(viewer: User | null) {
  return (where: ExpressionBuilder<Tables, 'users'>): Expression<SqlBool> => {
    if (viewer?.is_admin) return sql<SqlBool>`1 = 1`;
    if (!viewer) return where('users.visibility', '=', 'public');
    const own = [where('users.id', '=', viewer.id), hasMember(where, viewer)];
    return where.or(viewer.is_restricted ? own : [where('users.visibility', '!=', 'private'), ...own]);
  };
}

/** The row follows the viewer, is in an organization with the viewer, or is an organization of the viewer. */
function isRelatedTo(viewer: User) {
  return (where: ExpressionBuilder<Tables, 'users'>): Expression<SqlBool> => {
    const follows = where.exists(
      where
        .selectFrom('follows')
        .select(sql`1`.as('one'))
        .whereRef('follows.follower_id', '=', 'users.id')
        .where('follows.followed_id', '=', viewer.id),
    );
    const shares = where.exists(
      where
        .selectFrom('organization_members as theirs')
        .innerJoin('organization_members as mine', 'mine.organization_id', 'theirs.organization_id')
        .select(sql`1`.as('one'))
        .whereRef('theirs.user_id', '=', 'users.id')
        .where('mine.user_id', '=', viewer.id),
    );
    return where.or([follows, shares, hasMember(where, viewer)]);
  };
}

function hasMember(where: ExpressionBuilder<Tables, 'users'>, viewer: User): Expression<SqlBool> {
  return where.exists(
    where
      .selectFrom('organization_members')
      .select(sql`1`.as('one'))
      .whereRef('organization_members.organization_id', '=', 'users.id')
      .where('organization_members.user_id', '=', viewer.id),
  );
}
