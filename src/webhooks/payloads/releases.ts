import { findRepository, type Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import type { StoredEvent } from '../../events/event-log.ts';
import type { ReleaseEvent } from '../../events/events.ts';
import { findReleaseById } from '../../releases/find.ts';
import { presentRelease } from '../../releases/present.ts';
import { tell } from '../deliveries/tell.ts';
import { doerOf, presentSender } from './people.ts';
import { audienceOfRepository, repositoryFor } from './repositories.ts';

const ACTIONS = { 'release.published': 'published', 'release.updated': 'updated' } as const;

/** Tells of a release that everybody sees now, or that has changed. */
export async function tellOfRelease(event: StoredEvent<keyof typeof ACTIONS>, context: Context): Promise<void> {
  const release = await findReleaseById(context.db, event.payload.releaseId);
  // What was taken back or deleted in the meantime is not shown to others any more.
  if (!release || release.is_draft) return;
  await about(event, context, ACTIONS[event.type], (repository) => presentRelease(context, repository, release));
}

/** Tells of a release that is gone, as it was. */
export async function tellOfDeletedRelease(event: StoredEvent<'release.deleted'>, context: Context): Promise<void> {
  await about(event, context, 'deleted', async () => event.payload.release);
}

async function about(
  { id: eventId, payload: { repositoryId, doerId } }: { id: number; payload: ReleaseEvent },
  context: Context,
  action: 'published' | 'updated' | 'deleted',
  shown: (repository: Repository) => Promise<unknown>,
): Promise<void> {
  const repository = await findRepository(context.db, repositoryId);
  if (!repository) return;
  const payload = async () => {
    const doer = await doerOf(context, doerId);
    return {
      action,
      release: await shown(repository),
      repository: await repositoryFor(context, repository, doer),
      sender: presentSender(context, doer),
    };
  };
  await tell(context, await audienceOfRepository(context, repository), { eventId }, { event: 'release', payload });
}
