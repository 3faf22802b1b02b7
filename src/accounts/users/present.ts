import { hash } from 'node:crypto';
import { mapInSlices } from '../../concurrency/time-slice.ts';
import type { Context } from '../../context.ts';
import type { User as UserRow } from '../../database/tables/accounts.ts';
import { type Shape, wireTime } from '../../http/schema.ts';
import { joined } from '../../text/joined.ts';
import { ownText } from '../../text/own-text.ts';
import { trimEnd } from '../../text/trim-end.ts';
import type { User } from './schema.ts';

/**
 * The reader of the presented user: an account, an anonymous reader (null), or `'reader'`: a signed-in account that is neither the user nor an
 * administrator, as in payloads whose reader is not the caller.
 */
export type Viewer = UserRow | 'reader' | null;

/**
 * A user or an organization on the wire. The e-mail address is hidden from anonymous readers and if the user wants that;
 * private fields are shown only to the user and to administrators.
 * @param viewer the caller when left out
 */
export function presentUser(context: Context, user: UserRow, viewer: Viewer = context.actor): Shape<typeof User> {
  const isPrivy = viewer !== null && viewer !== 'reader' && (viewer.id === user.id || viewer.is_admin);
  const showsEmail = viewer !== null && (isPrivy || !user.keep_email_private);
  return {
    id: user.id,
    login: user.name,
    login_name: isPrivy ? user.login_name : '',
    source_id: isPrivy ? user.source_id : 0,
    full_name: user.full_name,
    email: showsEmail ? user.email : placeholderEmail(context, user),
    avatar_url: avatarUrl(context, user),
    html_url: htmlUrl(context, user),
    language: isPrivy ? user.language : '',
    is_admin: isPrivy && user.is_admin,
    last_login: wireTime(isPrivy ? user.last_login_at : null),
    created: wireTime(user.created_at),
    restricted: user.is_restricted,
    active: isPrivy && user.is_active,
    prohibit_login: isPrivy && user.prohibit_login,
    location: user.location,
    website: user.website,
    description: user.description,
    visibility: user.visibility,
    followers_count: user.followers_count,
    following_count: user.following_count,
    starred_repos_count: user.stars_count,
    username: user.name,
  };
}

/** {@link presentUser} for a list. */
export function presentUsers(context: Context, users: readonly UserRow[], viewer: Viewer = context.actor): Shape<typeof User>[] {
  return users.map((user) => presentUser(context, user, viewer));
}

/** {@link presentUsers} for a list without pages, which may be very long. */
export function presentManyUsers(context: Context, users: readonly UserRow[]): Promise<Shape<typeof User>[]> {
  return mapInSlices(users, (user) => presentUser(context, user));
}

/** The substitute for a hidden e-mail address. */
export function placeholderEmail({ settings }: Context, user: Pick<UserRow, 'id' | 'lower_name'>): string {
  return joined(user.id, '+', user.lower_name, '@', settings.users.noReplyDomain);
}

/** The URL of the page of a user or an organization. */
export function htmlUrl({ settings }: Context, user: Pick<UserRow, 'name'>): string {
  return joined(settings.server.rootUrl, encodeURIComponent(user.name));
}

/** The names of generated avatars by the ids of their users: lists repeat them. */
const generatedNames = new Map<number, string>();
const KEPT_NAMES = 10_000;

function generatedName(id: number): string {
  const known = generatedNames.get(id);
  if (known) return known;
  const made = ownText(hash('sha256', `avatar of user ${id}`).slice(0, 32));
  if (generatedNames.size === KEPT_NAMES) generatedNames.clear();
  generatedNames.set(id, made);
  return made;
}

/**
 * The URL of the uploaded avatar; else, if enabled, of the Gravatar of a user who does not hide the e-mail address; else of
 * an avatar that is generated from a digest of the id, which reveals nothing about the e-mail address.
 */
export function avatarUrl(
  { settings }: Pick<Context, 'settings'>,
  user: Pick<UserRow, 'id' | 'avatar' | 'email' | 'keep_email_private'>,
): string {
  const { gravatarEnabled, gravatarUrl } = settings.avatars;
  if (gravatarEnabled && user.avatar === '' && user.email !== '' && !user.keep_email_private) {
    return `${trimEnd(gravatarUrl, '/')}/${hash('sha256', user.email.trim().toLowerCase())}?d=identicon`;
  }
  const name = user.avatar || generatedName(user.id);
  return joined(settings.server.rootUrl, 'avatars/', name);
}

/**
 * The URL of the avatar for a hash of an e-mail address (MD5 or SHA-256). It depends only on the hash, so it does not reveal
 * which e-mail addresses have an account here.
 */
export function avatarUrlOfHash({ settings }: Pick<Context, 'settings'>, emailHash: string): string {
  const { gravatarEnabled, gravatarUrl } = settings.avatars;
  if (gravatarEnabled) return `${trimEnd(gravatarUrl, '/')}/${emailHash}?d=identicon`;
  return joined(settings.server.rootUrl, 'avatars/', emailHash.slice(0, 32));
}
