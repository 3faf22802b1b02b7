import { sql } from 'kysely';
import { countAccounts } from '../accounts/counts.ts';
import type { Context } from '../context.ts';
import type { User, Visibility } from '../database/tables/accounts.ts';
import type { Page } from '../http/paging.ts';

/** A page of organizations and the number of all. */
export interface OrganizationPage {
  organizations: User[];
  total: number;
}

/**
 * The organizations that the caller may find, by name, capital letters first: the public ones and for signed-in callers the limited ones, for a
 * restricted user only those with a membership; all for site administrators. A token limited to public resources finds public ones.
 */
export async function listOrganizations(context: Context, page: Page): Promise<OrganizationPage> {
  const { db, actor, signIn } = context;
  const visibilities: Visibility[] = ['public'];
  if (actor && !signIn.token?.publicOnly) visibilities.push('limited');
  if (actor?.is_admin && !signIn.token?.publicOnly) visibilities.push('private');
  let found = db.selectFrom('users').where('type', '=', 'organization').where('visibility', 'in', visibilities);
  if (actor?.is_restricted && !actor.is_admin) {
    found = found.where('id', 'in', organizationsOf(context, actor.id));
    return pageOfOrganizations(found, 'name', page);
  }
  return pageOfOrganizations(found, 'name', page, await countAccounts(context, 'organization', visibilities));
}

/** Every organization, by name, capital letters first: for site administrators. */
export async function listAllOrganizations(context: Context, page: Page): Promise<OrganizationPage> {
  const { db, signIn } = context;
  const publicOnly = signIn.token?.publicOnly ?? false;
  const found = db
    .selectFrom('users')
    .where('type', '=', 'organization')
    .$if(publicOnly, (query) => query.where('visibility', '=', 'public'));
  const visibilities: Visibility[] = publicOnly ? ['public'] : ['public', 'limited', 'private'];
  return pageOfOrganizations(found, 'name', page, await countAccounts(context, 'organization', visibilities));
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
  return pageOfOrganizations(found, 'lower_name', page);
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
  order: 'name' | 'lower_name',
  page: Page,
  known?: number,
): Promise<OrganizationPage> {
  const total = known ?? (await found.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow()).total;
  const organizations = await found.selectAll().orderBy(order).limit(page.limit).offset(page.offset).execute();
  return { organizations, total: Number(total) };
}

function allUsers({ db }: Context) {
  return db.selectFrom('users');
}
