import { findRepository, type Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import type { ReleaseEvent } from '../../events/events.ts';
import { findReleaseById } from '../../releases/find.ts';
import { presentRelease } from '../../releases/present.ts';
import { enqueueDeliveries, type Receivers } from '../deliveries/enqueue.ts';
import type { CommittingEvent } from './at-commit.ts';
import { actorOf, presentSender } from './people.ts';
import { repositoryFor } from './repositories.ts';

const ACTIONS = { 'release.published': 'published', 'release.updated': 'updated' } as const;

/** Delivers a release that was published or changed. */
export async function enqueueRelease(event: CommittingEvent<keyof typeof ACTIONS>, context: Context, receivers: Receivers): Promise<void> {
  const release = await findReleaseById(context.db, event.payload.releaseId);
  // A release that was unpublished or deleted in the meantime is not shown to others any more.
  if (!release || release.is_draft) return;
  await about(event, context, receivers, ACTIONS[event.type], (repository) => presentRelease(context, repository, release));
}

/** Delivers a deleted release, as it was. */
export async function enqueueDeletedRelease(
  event: CommittingEvent<'release.deleted'>,
  context: Context,
  receivers: Receivers,
): Promise<void> {
  await about(event, context, receivers, 'deleted', async () => event.payload.release);
}

async function about(
  { payload: { repositoryId, actorId } }: { payload: ReleaseEvent },
  context: Context,
  receivers: Receivers,
  action: 'published' | 'updated' | 'deleted',
  shown: (repository: Repository) => Promise<unknown>,
): Promise<void> {
  const repository = await findRepository(context.db, repositoryId);
  if (!repository) return;
  const payload = async () => {
    const actor = await actorOf(context, actorId);
    return {
      action,
      release: await shown(repository),
      repository: await repositoryFor(context, repository, actor),
      sender: presentSender(context, actor),
    };
  };
  await enqueueDeliveries(context, receivers, { event: 'release', payload });
}
