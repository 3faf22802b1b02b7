import { findUsersById } from '../../access/find-user.ts';
import type { Context } from '../../context.ts';
import type { SshKey } from '../../database/tables/keys.ts';
import { type Shape, wireTime } from '../../http/schema.ts';
import { presentUser } from '../users/present.ts';
import type { PublicKey } from './schema.ts';

/** SSH keys on the wire; their owner is shown only to the owner and administrators. */
export async function presentSshKeys(context: Context, keys: readonly SshKey[]): Promise<Shape<typeof PublicKey>[]> {
  const { actor, settings } = context;
  const isPrivy = (key: SshKey) => actor !== null && (actor.is_admin || actor.id === key.user_id);
  const ids = keys.flatMap((key) => (isPrivy(key) && key.user_id !== null ? [key.user_id] : []));
  const users = await findUsersById(context.db, ids);
  return keys.map((key) => {
    const user = users.get(key.user_id ?? 0);
    return {
      id: key.id,
      key: key.content,
      url: `${settings.server.rootUrl}api/v1/user/keys/${key.id}`,
      title: key.title,
      fingerprint: key.fingerprint,
      created_at: wireTime(key.created_at),
      last_used_at: wireTime(key.last_used_at),
      verified: key.verified,
      ...(isPrivy(key) && user && { user: presentUser(context, user, user), key_type: key.type }),
    };
  });
}
