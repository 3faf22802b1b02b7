import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { User, Visibility } from '../../database/tables/accounts.ts';
import type { Page } from '../../http/paging.ts';
import { contains } from '../like.ts';
import { searchableUsers } from '../visibility.ts';

/** What is searched for; what is left out does not narrow. */
export interface UserSearch {
  /** Part of the name, the full name or an address that the caller may see. */
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

/** By what found users can be sorted. */
export type UserSort = 'name' | 'created' | 'updated' | 'id';

const SORT_COLUMNS = { name: 'users.name', created: 'users.created_at', updated: 'users.updated_at', id: 'users.id' } as const;

/** People (not organizations) that the caller may find; by name unless the search says otherwise. */
export async function searchUsers(context: Context, search: UserSearch, page: Page): Promise<{ users: User[]; total: number }> {
  const found = foundUsers(context, search);
  const { total } = await found.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const direction = search.descending ? 'desc' : 'asc';
  const users = await found
    .selectAll('users')
    .orderBy(SORT_COLUMNS[search.sort ?? 'name'], direction)
    .orderBy('users.id', direction)
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return { users, total: Number(total) };
}

function foundUsers({ db, doer, signIn }: Context, search: UserSearch) {
  let found = db.selectFrom('users').where('users.type', '=', 'individual').where(searchableUsers(doer));
  if (search.keyword) found = found.where(matches(search.keyword, doer));
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
    const factor = db.selectFrom('two_factors').select('two_factors.user_id');
    found = found.where('users.id', search.hasTwoFactor ? 'in' : 'not in', factor);
  }
  return found;
}

/** An address counts only where its owner shows it, for its owner, and for administrators. */
function matches(keyword: string, doer: User | null) {
  const name = contains(sql`users.lower_name`, keyword);
  const fullName = contains(sql`lower(users.full_name)`, keyword);
  const email = contains(sql`lower(users.email)`, keyword);
  if (doer?.is_admin) return sql<boolean>`(${name} or ${fullName} or ${email})`;
  const shown = sql`(users.keep_email_private = ${false} or users.id = ${doer?.id ?? 0})`;
  return sql<boolean>`(${name} or ${fullName} or (${email} and ${shown}))`;
}
