import type { Context } from '../context.ts';
import type { User } from '../database/tables/accounts.ts';
import type { ActionStatus } from '../database/tables/actions.ts';

/** Whether the instance sends mails about events. */
export function sends({ settings: { mail } }: Context): boolean {
  return mail.enabled && mail.notifications;
}

/** Of which of the runs that they triggered users are mailed once they are over; the first one unless they choose. */
export const RUN_MAILS = ['failure-only', 'all', 'disabled'] as const;

/** Whether a user wants the mail of a run that ended so, whatever other mails they want. */
export function wantsRunMail(user: User, status: ActionStatus): boolean {
  if (!user.is_active || user.prohibit_login || user.email === '') return false;
  return user.run_mails === 'all' || (user.run_mails === 'failure-only' && status === 'failure');
}

/** Whether a user wants such a mail; mails about their own actions are only sent if they want them. */
export function wantsMail(user: User, { isActor, isMentioned }: { isActor: boolean; isMentioned: boolean }): boolean {
  if (!user.is_active || user.prohibit_login || user.email === '') return false;
  const preference = user.email_notifications;
  if (isActor) return preference === 'andyourown';
  return preference === 'enabled' || preference === 'andyourown' || (preference === 'onmention' && isMentioned);
}
