import { countInWindow } from '../../accounts/counters.ts';
import type { Context } from '../../context.ts';
import { unprocessable } from '../../http/errors.ts';

const DAY_MS = 86_400_000;
/** Invitations that one account mails in a day, and that one address gets. */
export const MAX_BY_INVITER = 100;
export const MAX_TO_ADDRESS = 5;

/**
 * Counts an invitation, also one that is withdrawn soon: nobody fills mailboxes with what they write into their name by inviting and
 * withdrawing again and again. The counters are those of sign-ins, which remove expired ones.
 * @throws HttpError 422 for one too many; then nothing of the transaction stays
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
