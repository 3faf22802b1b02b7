import type { Context } from '../context.ts';
import type { User } from '../database/tables/accounts.ts';
import { cleanIdentity, gitNow, type Signature } from '../git/objects/format-identity.ts';

/** The signature of a user in commits that the server creates for them now: with the full name, or the login name if that is not usable. */
export function gitSignature({ settings }: Pick<Context, 'settings'>, user: User): Signature {
  const name = [user.full_name, user.name].find((name) => cleanIdentity(name) !== '') ?? `user-${user.id}`;
  const email = user.keep_email_private ? `${user.id}+${user.lower_name}@${settings.users.noReplyDomain}` : user.email;
  return { name, email, ...gitNow() };
}
