import { storedScope } from '../../access/scopes.ts';
import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import { avatarUrl, htmlUrl } from '../users/present.ts';
import { accessScopeOf, grantsWord } from './grant-scopes.ts';
import { signingKey } from './signing-key.ts';

/** The issuer of identity tokens: the URL of the instance, without the slash. */
export function issuerOf({ settings }: Pick<Context, 'settings'>): string {
  return settings.server.rootUrl.replace(/\/$/, '');
}

/** The subject of an identity token. */
export interface IdentitySubject {
  user: User;
  clientId: string;
  scope: string;
  nonce: string;
}

/** An identity token (OpenID Connect Core, section 2) with the claims of the granted scopes; empty ones are left out. */
export async function signIdentityToken(context: Context, { user, clientId, scope, nonce }: IdentitySubject): Promise<string> {
  const { SignJWT } = await import('jose');
  const key = await signingKey(context);
  const claims: Record<string, unknown> = { nonce };
  if (grantsWord(scope, 'profile')) Object.assign(claims, profileClaims(context, user));
  if (grantsWord(scope, 'email')) Object.assign(claims, { email: user.email, email_verified: user.is_active });
  if (grantsWord(scope, 'groups')) claims.groups = await groupsOf(context, user, storedScope(accessScopeOf(scope)).publicOnly);
  const told = Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== '' && value !== undefined));
  const time = now();
  return new SignJWT(told)
    .setProtectedHeader({ alg: key.algorithm, typ: 'JWT', kid: key.publicJwk.kid ?? '' })
    .setIssuer(issuerOf(context))
    .setAudience([clientId])
    .setSubject(String(user.id))
    .setIssuedAt(time)
    .setExpirationTime(time + Math.max(1, Math.floor(context.settings.oauth2.accessTokenLifetime / 1000)))
    .sign(key.privateKey);
}

function profileClaims(context: Context, user: User) {
  return {
    name: user.full_name || user.name,
    preferred_username: user.name,
    profile: htmlUrl(context, user),
    picture: avatarUrl(context, user),
    website: user.website,
    // Pages are in English for users without a choice.
    locale: user.language || 'en-US',
    updated_at: user.updated_at,
  };
}

/** The response of `/login/oauth/userinfo`; the groups are null for a user without any. */
export async function userInfo(context: Context, user: User, options: { publicOnly: boolean }) {
  const groups = await groupsOf(context, user, options.publicOnly);
  return {
    sub: String(user.id),
    name: user.full_name || user.name,
    preferred_username: user.name,
    email: user.email,
    picture: avatarUrl(context, user),
    groups: groups.length > 0 ? groups : null,
  };
}

/** `org` for each organization of the user, `org:team` for each of its teams. */
async function groupsOf({ db }: Context, user: User, publicOnly: boolean): Promise<string[]> {
  const rows = await db
    .selectFrom('team_members')
    .innerJoin('teams', 'teams.id', 'team_members.team_id')
    .innerJoin('users', 'users.id', 'team_members.organization_id')
    .select(['users.name as organization', 'teams.lower_name as team'])
    .where('team_members.user_id', '=', user.id)
    .$if(publicOnly, (query) => query.where('users.visibility', '=', 'public'))
    .orderBy('users.lower_name')
    // The owners come first, as in Gitea.
    .orderBy((team) => team.case().when('teams.access_level', '=', 4).then(0).else(1).end())
    .orderBy('teams.lower_name')
    .execute();
  return [...new Set(rows.flatMap(({ organization, team }) => [organization, `${organization}:${team}`]))];
}
