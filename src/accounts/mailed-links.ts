import { findUserById } from '../access/find-user.ts';
import { now } from '../clock.ts';
import type { Context } from '../context.ts';
import type { User } from '../database/tables/accounts.ts';
import type { StoredEvent } from '../events/events.ts';
import { queueMail } from '../mail/mail.ts';
import { isMailedLately } from './mailed-lately.ts';

/** The purpose of a link in a mail. */
type Purpose = 'activate' | 'confirm' | 'recover';

const CODE = /^(\d{1,15})\.(\d{1,12})\.([\w-]{43})$/;

/** The code of a link; it is valid for a while, and until its purpose is fulfilled. */
export function linkCode({ secrets, settings }: Context, purpose: Purpose, user: User, email: string): string {
  const { activationLifetime, passwordResetLifetime } = settings.registration;
  const expires = String(now() + Math.ceil((purpose === 'recover' ? passwordResetLifetime : activationLifetime) / 1000));
  return `${user.id}.${expires}.${secrets.sign('mailed link', purpose, String(user.id), expires, email, stateOf(purpose, user))}`;
}

/** The user of a code, if it is valid. */
export async function readLinkCode(context: Context, purpose: Purpose, code: string, email?: string): Promise<User | undefined> {
  const { secrets, db } = context;
  const [, id = '', expires = '', signature = ''] = CODE.exec(code) ?? [];
  if (id === '' || Number(expires) < now()) return undefined;
  const user = await findUserById(db, Number(id));
  if (user?.type !== 'individual' || user.prohibit_login) return undefined;
  const isGood = secrets.isSigned(signature, 'mailed link', purpose, id, expires, email ?? user.email, stateOf(purpose, user));
  if (!isGood) return undefined;
  context.act?.by(user);
  return user;
}

/** A state that changes when the link has been used. */
function stateOf(purpose: Purpose, user: User): string {
  return purpose === 'recover' ? user.password_hash : purpose === 'activate' ? String(user.is_active) : '';
}

/** Sends the link that activates a new account. */
export function mailActivation(context: Context, user: User): Promise<void> {
  const link = linkTo(context, 'user/activate', { code: linkCode(context, 'activate', user, user.email) });
  return mailTo(context, user, user.email, 'Activate your account', `open this link to activate your account:\n\n${link}`);
}

/** Notifies the owner of an e-mail address that somebody has registered with it again, at most once per minute. */
export async function mailAlreadyRegistered(context: Context, email: string): Promise<void> {
  if (await isMailedLately(context, `registered ${email.toLowerCase()}`)) return;
  const { name } = context.settings.instance;
  const text = `Hello,\n\nsomebody has registered on ${name} with this address, which has an account already. Nothing was changed.\n\nTo set a new password open\n\n${linkTo(context, 'user/forgot_password', {})}\n`;
  await queueMail(context, { to: email, isAccount: true, subject: 'You have an account already', text });
}

/** Sends the link that confirms a further e-mail address of a user to that address, at most once per minute. */
export async function mailConfirmation(context: Context, user: User, email: string): Promise<void> {
  if (await isMailedLately(context, email.toLowerCase())) return;
  const link = linkTo(context, 'user/activate_email', { code: linkCode(context, 'confirm', user, email), email });
  await mailTo(context, user, email, 'Confirm your e-mail address', `open this link to confirm that ${email} is yours:\n\n${link}`);
}

/** Sends the link with which a user sets a new password, at most once per minute. */
export async function mailRecovery(context: Context, user: User): Promise<void> {
  if (await isMailedLately(context, String(user.id))) return;
  const link = linkTo(context, 'user/recover_account', { code: linkCode(context, 'recover', user, user.email) });
  const text = `open this link to set a new password:\n\n${link}\n\nIf you did not ask for that, nothing needs to be done.`;
  await mailTo(context, user, user.email, 'Recover your account', text);
}

/** Notifies a user that an administrator created the account, if the administrator wants that. */
export async function mailNewUser({ payload: { userId, notify } }: StoredEvent<'user.created'>, context: Context): Promise<void> {
  const user = notify ? await findUserById(context.db, userId) : undefined;
  if (!user) return;
  const { name } = context.settings.instance;
  const link = linkTo(context, 'user/forgot_password', {});
  const text = `an administrator has made the account ${user.name} for you on ${name}:\n\n${context.settings.server.rootUrl}\n\nTo set a password of your own open\n\n${link}`;
  await mailTo(context, user, user.email, `Your account on ${name}`, text);
}

function linkTo({ settings }: Context, path: string, query: Record<string, string>): string {
  const search = new URLSearchParams(query).toString();
  return settings.server.rootUrl + path + (search && `?${search}`);
}

function mailTo(context: Context, user: User, to: string, subject: string, text: string): Promise<void> {
  return queueMail(context, { to, isAccount: true, subject, text: `Hello ${user.full_name || user.name},\n\n${text}\n` });
}
