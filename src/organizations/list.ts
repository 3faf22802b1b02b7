import { sql } from 'kysely';
import { countAccounts } from '../accounts/counts.ts';
import type { UserSort } from '../accounts/users/search.ts';
import type { Context } from '../context.ts';
import { contains, containsAnyCase } from '../database/contains.ts';
import type { User, Visibility } from '../database/tables/accounts.ts';
import type { Page } from '../http/paging.ts';

/** A page of organizations and the number of all. */
export interface OrganizationPage {
  organizations: User[];
  total: number;
}

/** What is searched for, and in which order; by name where it is left out. */
export interface OrganizationSearch {
  /** Part of the name or the full name. */
  readonly keyword?: string;
  readonly sort?: UserSort;
  readonly descending?: boolean;
}

type Order = readonly [column: 'name' | 'lower_name' | 'created_at' | 'updated_at' | 'id', direction: 'asc' | 'desc'];

const COLUMNS = { name: 'name', created: 'created_at', updated: 'updated_at', id: 'id' } as const;

function orderOf({ sort = 'name', descending = false }: OrganizationSearch): Order {
  return [COLUMNS[sort], descending ? 'desc' : 'asc'];
}

function matching(found: ReturnType<typeof allUsers>, { keyword }: OrganizationSearch) {
  if (!keyword) return found;
  const isNamed = sql<boolean>`(${contains(sql`users.lower_name`, keyword)} or ${containsAnyCase(sql`users.full_name`, keyword)})`;
  return found.where(isNamed);
}

/**
 * The organizations that the caller may find, by name, capital letters first: the public ones and for signed-in callers the limited ones, for a
 * restricted user only those with a membership; all for site administrators. A token limited to public resources finds public ones.
 */
export async function listOrganizations(context: Context, page: Page, search: OrganizationSearch = {}): Promise<OrganizationPage> {
  const { db, actor, signIn } = context;
  const visibilities: Visibility[] = ['public'];
  if (actor && !signIn.token?.publicOnly) visibilities.push('limited');
  if (actor?.is_admin && !signIn.token?.publicOnly) visibilities.push('private');
  let found = db.selectFrom('users').where('type', '=', 'organization').where('visibility', 'in', visibilities);
  if (actor?.is_restricted && !actor.is_admin) {
    found = found.where('id', 'in', organizationsOf(context, actor.id));
    return pageOfOrganizations(matching(found, search), orderOf(search), page);
  }
  const known = search.keyword ? undefined : await countAccounts(context, 'organization', visibilities);
  return pageOfOrganizations(matching(found, search), orderOf(search), page, known);
}

/** Every organization, by name, capital letters first: for site administrators. */
export async function listAllOrganizations(context: Context, page: Page, search: OrganizationSearch = {}): Promise<OrganizationPage> {
  const { db, signIn } = context;
  const publicOnly = signIn.token?.publicOnly ?? false;
  const found = db
    .selectFrom('users')
    .where('type', '=', 'organization')
    .$if(publicOnly, (query) => query.where('visibility', '=', 'public'));
  const visibilities: Visibility[] = publicOnly ? ['public'] : ['public', 'limited', 'private'];
  const known = search.keyword ? undefined : await countAccounts(context, 'organization', visibilities);
  return pageOfOrganizations(matching(found, search), orderOf(search), page, known);
}

/**
 * The organizations of a user, by name, case-insensitively: all for the user and for site administrators, for others those that are not private
 * and have a public membership of the user. A token limited to public resources finds
 * public ones with a public membership.
 */
export async function listOrganizationsOf(context: Context, user: User, page: Page): Promise<OrganizationPage> {
  const { db, actor, signIn } = context;
  const isPrivy = actor !== null && (actor.id === user.id || actor.is_admin);
  let found = db
    .selectFrom('users')
    // Anything with members is an organization; with a condition on the type SQLite would scan all of them.
    .where('id', 'in', organizationsOf(context, user.id, !isPrivy || (signIn.token?.publicOnly ?? false)));
  if (!isPrivy) found = found.where('visibility', 'in', actor ? ['public', 'limited'] : ['public']);
  if (!isPrivy && actor?.is_restricted) {
    found = found.where((where) => where.or([where('visibility', '=', 'public'), where('id', 'in', organizationsOf(context, actor.id))]));
  }
  if (signIn.token?.publicOnly) found = found.where('visibility', '=', 'public');
  return pageOfOrganizations(found, ['lower_name', 'asc'], page);
}

function organizationsOf({ db }: Context, userId: number, publicly = false) {
  return db
    .selectFrom('organization_members')
    .select('organization_id')
    .where('user_id', '=', userId)
    .$if(publicly, (query) => query.where('is_public', '=', true));
}

async function pageOfOrganizations(
  found: ReturnType<typeof allUsers>,
  [column, direction]: Order,
  page: Page,
  known?: number,
): Promise<OrganizationPage> {
  const total = Number(known ?? (await found.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow()).total);
  // A keyword is looked for in all rows: where nothing has it, once.
  if (total <= page.offset) return { organizations: [], total };
  const organizations = await found
    .selectAll()
    .orderBy(column, direction)
    .orderBy('id', direction)
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return { organizations, total };
}

function allUsers({ db }: Context) {
  return db.selectFrom('users');
}
