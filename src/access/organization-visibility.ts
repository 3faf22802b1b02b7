import type { Context } from '../context.ts';
import type { User } from '../database/tables/accounts.ts';
import { isOrganizationMember } from './find-organization.ts';

/** Whether `actor` may see an account. */
export function isVisibleTo(account: User, actor: User | null, isMember: boolean, signInRequired = false): boolean {
  if (!actor) return account.visibility === 'public';
  if (actor.is_admin || actor.id === account.id) return true;
  if (!signInRequired && account.visibility === 'public') return true;
  return (account.visibility !== 'private' && !actor.is_restricted) || isMember;
}

/** Whether `actor` may see an organization, null for an anonymous caller; queries the membership if that decides. */
export async function isOrganizationVisible(
  context: Pick<Context, 'db' | 'settings'>,
  account: User,
  actor: User | null,
): Promise<boolean> {
  const signInRequired = context.settings.access.requireSignInView;
  if (isVisibleTo(account, actor, false, signInRequired)) return true;
  return actor !== null && (await isOrganizationMember(context.db, account.id, actor.id));
}
