import { findRepository } from '../../access/find-repository.ts';
import { findUserById } from '../../access/find-user.ts';
import { isBlocked } from '../../accounts/blocks/blocked.ts';
import type { Context } from '../../context.ts';
import type { StoredEvent } from '../../events/events.ts';
import { watch } from './watches.ts';

/** Who pushes to a branch watches the repository from then on, where the instance has that; not who said not to. */
export async function watchAfterPush({ payload }: StoredEvent<'refs.changed'>, context: Context): Promise<void> {
  if (!context.settings.users.autoWatchOnChanges || payload.isMirror) return;
  if (!payload.updates.some(({ ref, newId }) => ref.startsWith('refs/heads/') && !/^0+$/.test(newId))) return;
  const user = await findUserById(context.db, payload.actorId);
  const repository = await findRepository(context.db, payload.repositoryId);
  if (!user || !repository || (await isBlocked(context.db, repository.owner_id, user))) return;
  await watch(context, repository, user.id, 'auto');
}
