import { countInWindow } from '../../accounts/counters.ts';
import type { Context } from '../../context.ts';
import { unprocessable } from '../../http/errors.ts';

const DAY_MS = 86_400_000;
/** Daily limits of invitations by one account, and to one e-mail address. */
export const MAX_BY_INVITER = 100;
export const MAX_TO_ADDRESS = 5;

/**
 * Counts an invitation, even if it is withdrawn soon: so nobody can fill mailboxes with an organization's name by inviting and
 * withdrawing repeatedly. The table is that of the sign-in counters, which deletes expired ones.
 * @throws HttpError 422 beyond the limit; then the transaction is rolled back
 */
export async function countInvitation(context: Context, inviterId: number, email: string): Promise<void> {
  for (const [whom, most] of [
    [`by ${inviterId}`, MAX_BY_INVITER],
    [`to ${email.toLowerCase()}`, MAX_TO_ADDRESS],
  ] as const) {
    if ((await countInWindow(context, ['invited', whom], DAY_MS)) > most)
      throw unprocessable('[email]: too many invitations were mailed in the last day');
  }
}
