import { avatarUrl, htmlUrl } from '../accounts/users/present.ts';
import type { Context } from '../context.ts';
import type { User } from '../database/tables/accounts.ts';
import { actorKeys } from './keys.ts';

/** The media type of ActivityPub documents (ActivityPub, section 3.2). */
export const ACTIVITY_TYPE = 'application/activity+json';

/** The URL that is the id of a user's actor. It contains the user's id, so it outlives renames. */
export function actorId({ settings }: Pick<Context, 'settings'>, user: Pick<User, 'id'>): string {
  return `${settings.server.rootUrl}api/v1/activitypub/user-id/${user.id}`;
}

/** The id of the key with which requests of the user are signed. */
export function keyId(context: Pick<Context, 'settings'>, user: Pick<User, 'id'>): string {
  return `${actorId(context, user)}#main-key`;
}

/** The actor document of a user (ActivityPub, section 4.1). */
export async function actorDocument(context: Context, user: User): Promise<Record<string, unknown>> {
  const id = actorId(context, user);
  const { publicKey } = await actorKeys(context, user);
  return {
    '@context': ['https://www.w3.org/ns/activitystreams', 'https://w3id.org/security/v1'],
    id,
    type: 'Person',
    name: user.full_name || user.name,
    preferredUsername: user.name,
    ...(user.description && { summary: user.description }),
    url: htmlUrl(context, user),
    icon: { type: 'Image', url: avatarUrl(context, user) },
    inbox: `${id}/inbox`,
    outbox: `${id}/outbox`,
    followers: `${id}/followers`,
    publicKey: { id: keyId(context, user), owner: id, publicKeyPem: publicKey },
  };
}
