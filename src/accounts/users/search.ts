import { sql } from 'kysely';
import { searchableUsers } from '../../access/user-visibility.ts';
import type { Context } from '../../context.ts';
import { contains, containsAnyCase } from '../../database/contains.ts';
import type { User, Visibility } from '../../database/tables/accounts.ts';
import { mayContain } from '../../database/texts.ts';
import type { Page } from '../../http/paging.ts';
import { countAccounts } from '../counts.ts';

/** The criteria of a search; missing ones mean any. */
export interface UserSearch {
  /** Part of the name, the full name or an e-mail address that the caller may see. */
  keyword?: string;
  id?: number;
  visibility?: Visibility;
  loginName?: string;
  sourceId?: number;
  isActive?: boolean;
  isAdmin?: boolean;
  isRestricted?: boolean;
  prohibitLogin?: boolean;
  hasTwoFactor?: boolean;
  sort?: UserSort;
  descending?: boolean;
}

/** The sort keys of users. */
export type UserSort = 'name' | 'created' | 'updated' | 'id';

const SORT_COLUMNS = { name: 'users.name', created: 'users.created_at', updated: 'users.updated_at', id: 'users.id' } as const;

/** Users (not organizations) that the caller may find; sorted by name by default. */
export async function searchUsers(context: Context, search: UserSearch, page: Page): Promise<{ users: User[]; total: number }> {
  const found = foundUsers(context, search);
  const total = await countOf(context, search);
  // A short keyword is looked for in all rows: where nothing has it, once.
  if (total <= page.offset) return { users: [], total };
  const direction = search.descending ? 'desc' : 'asc';
  const users = await found
    .selectAll('users')
    .orderBy(SORT_COLUMNS[search.sort ?? 'name'], direction)
    .orderBy('users.id', direction)
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return { users, total };
}

/** The number of all matches; without conditions it is known by visibility. */
async function countOf(context: Context, search: UserSearch): Promise<number> {
  const { actor, signIn } = context;
  const { sort, descending, keyword, ...conditions } = search;
  const isNarrow =
    Boolean(keyword) ||
    Object.values(conditions).some((value) => value !== undefined && value !== '') ||
    signIn.token?.publicOnly ||
    (actor?.is_restricted && !actor.is_admin);
  if (isNarrow) {
    const counted = foundUsers(context, search, { isCounted: true }).select((select) => select.fn.countAll<number>().as('total'));
    return Number((await counted.executeTakeFirstOrThrow()).total);
  }
  if (!actor) return countAccounts(context, 'individual', ['public']);
  if (actor.is_admin) return countAccounts(context, 'individual', ['public', 'limited', 'private']);
  return (await countAccounts(context, 'individual', ['public', 'limited'])) + (actor.visibility === 'private' ? 1 : 0);
}

function foundUsers(context: Context, search: UserSearch, { isCounted = false } = {}) {
  const { db, database, actor, signIn } = context;
  const candidates = search.keyword ? mayContain(database, 'users', search.keyword) : undefined;
  // To count those with a short keyword, SQLite reads all rows: five times as fast in their own order as by an index.
  const type = isCounted && search.keyword && database.dialect === 'sqlite' ? sql<string>`+users.type` : sql<string>`users.type`;
  let found = db.selectFrom('users').where(searchableUsers(actor));
  // Candidates are users; with a condition on the type SQLite would scan all of them by name.
  found = candidates ? found.where('users.id', 'in', candidates) : found.where(type, '=', 'individual');
  if (search.keyword) found = found.where(matches(search.keyword, actor));
  if (signIn.token?.publicOnly) found = found.where('users.visibility', '=', 'public');
  if (search.visibility) found = found.where('users.visibility', '=', search.visibility);
  if (search.id) found = found.where('users.id', '=', search.id);
  if (search.sourceId) found = found.where('users.source_id', '=', search.sourceId);
  if (search.loginName) found = found.where('users.login_name', '=', search.loginName);
  if (search.isActive !== undefined) found = found.where('users.is_active', '=', search.isActive);
  if (search.isAdmin !== undefined) found = found.where('users.is_admin', '=', search.isAdmin);
  if (search.isRestricted !== undefined) found = found.where('users.is_restricted', '=', search.isRestricted);
  if (search.prohibitLogin !== undefined) found = found.where('users.prohibit_login', '=', search.prohibitLogin);
  if (search.hasTwoFactor !== undefined) {
    const factor = db.selectFrom('two_factors').select('user_id').union(db.selectFrom('passkeys').select('user_id'));
    found = found.where('users.id', search.hasTwoFactor ? 'in' : 'not in', factor);
  }
  return found;
}

/** An e-mail address only matches if its owner shows it, for its owner, and for administrators. */
function matches(keyword: string, actor: User | null) {
  const name = contains(sql`users.lower_name`, keyword);
  const fullName = containsAnyCase(sql`users.full_name`, keyword);
  const email = containsAnyCase(sql`users.email`, keyword);
  if (actor?.is_admin) return sql<boolean>`(${name} or ${fullName} or ${email})`;
  const shown = sql`(users.keep_email_private = ${false} or users.id = ${actor?.id ?? 0})`;
  return sql<boolean>`(${name} or ${fullName} or (${email} and ${shown}))`;
}
