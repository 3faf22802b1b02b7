import type { Context } from '../context.ts';
import type { User } from '../database/tables/accounts.ts';
import { isOrganizationMember } from './find-organization.ts';

/** Whether an account is shown to somebody. */
export function isVisibleTo(account: User, doer: User | null, isMember: boolean, signInRequired = false): boolean {
  if (!doer) return account.visibility === 'public';
  if (doer.is_admin || doer.id === account.id) return true;
  if (!signInRequired && account.visibility === 'public') return true;
  return (account.visibility !== 'private' && !doer.is_restricted) || isMember;
}

/** Whether an organization is shown to `doer`, null for an anonymous caller; looks the membership up where that decides. */
export async function isOrganizationVisible(context: Pick<Context, 'db' | 'settings'>, account: User, doer: User | null): Promise<boolean> {
  const signInRequired = context.settings.access.requireSignInView;
  if (isVisibleTo(account, doer, false, signInRequired)) return true;
  return doer !== null && (await isOrganizationMember(context.db, account.id, doer.id));
}
