import type { Repository } from '../../access/find-repository.ts';
import { keyAccess } from '../../access/repository-access.ts';
import type { Context } from '../../context.ts';
import { type Shape, wireTime } from '../../http/schema.ts';
import { presentRepository } from '../present.ts';
import { repositoryApiUrl } from '../urls.ts';
import type { DeployKeyWithContent } from './deploy-keys.ts';
import type { DeployKey } from './schema.ts';

type Wire = Shape<typeof DeployKey>;

/** Deploy keys on the wire. For the owner and administrators with the repository, and the key's access to it. */
export async function presentDeployKeys(context: Context, repository: Repository, keys: readonly DeployKeyWithContent[]): Promise<Wire[]> {
  const { actor } = context;
  const isPrivy = actor !== null && (actor.is_admin || actor.id === repository.owner_id);
  const shown = new Map<boolean, Wire['repository']>();
  for (const canWrite of isPrivy ? new Set(keys.map((key) => key.can_write)) : []) {
    shown.set(canWrite, await presentRepository(context, repository, keyAccess(repository, canWrite)));
  }
  return keys.map((key) => {
    const opened = shown.get(key.can_write);
    return { ...presentNewDeployKey(context, repository, key), ...(opened && { repository: opened }) };
  });
}

/** A deploy key in the response to its creation: the key alone. */
export function presentNewDeployKey({ settings }: Context, repository: Repository, key: DeployKeyWithContent): Wire {
  return {
    id: key.id,
    key_id: key.key_id,
    key: key.content,
    url: `${repositoryApiUrl(settings, repository)}/keys/${key.id}`,
    title: key.title,
    fingerprint: key.fingerprint,
    created_at: wireTime(key.created_at),
    read_only: !key.can_write,
  };
}
