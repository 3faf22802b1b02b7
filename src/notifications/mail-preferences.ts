import type { Context } from '../context.ts';
import type { User } from '../database/tables/accounts.ts';

/** Whether the instance mails what happens. */
export function sends({ settings: { mail } }: Context): boolean {
  return mail.enabled && mail.notifications;
}

/** Whether a user wants such a mail; nobody gets one of what they did themselves, unless they say so. */
export function wantsMail(user: User, { isActor, isMentioned }: { isActor: boolean; isMentioned: boolean }): boolean {
  if (!user.is_active || user.prohibit_login || user.email === '') return false;
  const wish = user.email_notifications;
  if (isActor) return wish === 'andyourown';
  return wish === 'enabled' || wish === 'andyourown' || (wish === 'onmention' && isMentioned);
}
