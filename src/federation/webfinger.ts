import { findUser, findUserByEmail } from '../access/find-user.ts';
import { isUserVisible } from '../access/user-visibility.ts';
import { avatarUrl, htmlUrl } from '../accounts/users/present.ts';
import type { Context } from '../context.ts';
import type { User } from '../database/tables/accounts.ts';
import { HttpResponse, text } from '../http/responses.ts';
import { ACTIVITY_TYPE, actorId } from './actor.ts';

/** Describes the account that a resource names: `acct:name@host`, or `mailto:` with a visible e-mail address (RFC 7033). */
export async function webfinger(context: Context, resource: string): Promise<HttpResponse> {
  const { settings, db, actor } = context;
  const { host } = new URL(settings.server.rootUrl);
  const [, scheme = '', rest = ''] = /^(acct|mailto):(.+)$/i.exec(resource.trim()) ?? [];
  const at = rest.indexOf('@');
  if (scheme === '' || at < 1 || (scheme.toLowerCase() === 'acct' && rest.slice(at + 1) !== host)) return text('Bad Request\n', 400);
  const user = scheme.toLowerCase() === 'acct' ? await findUser(db, rest.slice(0, at)) : await ownerOfShownEmail(context, rest);
  if (!user || !(await isUserVisible(db, user, actor))) return text('Not Found\n', 404);
  return new HttpResponse(describe(context, user, host), { headers: { 'access-control-allow-origin': '*' } });
}

async function ownerOfShownEmail({ db, settings }: Context, email: string): Promise<User | undefined> {
  const user = await findUserByEmail(db, email);
  return user && settings.users.showEmail && !user.keep_email_private ? user : undefined;
}

function describe(context: Context, user: User, host: string) {
  const actor = actorId(context, user);
  return {
    subject: `acct:${encodeURIComponent(user.name)}@${host}`,
    aliases: [htmlUrl(context, user), actor],
    links: [
      { rel: 'http://webfinger.net/rel/profile-page', type: 'text/html', href: htmlUrl(context, user) },
      { rel: 'http://webfinger.net/rel/avatar', href: avatarUrl(context, user) },
      { rel: 'self', type: ACTIVITY_TYPE, href: actor },
      { rel: 'http://openid.net/specs/connect/1.0/issuer', href: context.settings.server.rootUrl },
    ],
  };
}
