import { findRepository } from '../../access/find-repository.ts';
import { findUserById } from '../../access/find-user.ts';
import { isBlocked } from '../../accounts/blocks/blocked.ts';
import type { Context } from '../../context.ts';
import type { Events, StoredEvent } from '../../events/events.ts';
import { hasPushedBranch } from '../../git/refs/ref-update.ts';
import { watch } from './watches.ts';

/** Whether who pushes watches the repository from then on. */
export function mayWatch(payload: Events['refs.changed'], { settings }: Pick<Context, 'settings'>): boolean {
  return settings.users.autoWatchOnChanges && !payload.isMirror && hasPushedBranch(payload);
}

/** Who pushes to a branch watches the repository from then on, where the instance has that; not who said not to. */
export async function watchAfterPush({ payload }: StoredEvent<'refs.changed'>, context: Context): Promise<void> {
  const user = await findUserById(context.db, payload.actorId);
  const repository = await findRepository(context.db, payload.repositoryId);
  if (!user || !repository || (await isBlocked(context.db, repository.owner_id, user))) return;
  await watch(context, repository, user.id, 'auto');
}
