import { findRepository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import { enqueueDeliveries, type Receivers } from '../deliveries/enqueue.ts';
import type { CommittingEvent } from './at-commit.ts';
import { actorOf, presentSender } from './people.ts';
import { repositoryForOwner } from './repositories.ts';

/** The names of the events in payloads. */
const WIKI_ACTIONS = {
  'wiki.page-created': 'created',
  'wiki.page-edited': 'edited',
  'wiki.page-deleted': 'deleted',
} as const;

/** The events of pages of wikis. */
export const WIKI_EVENTS = Object.keys(WIKI_ACTIONS) as readonly (keyof typeof WIKI_ACTIONS)[];

/** Delivers a wiki page that was created, changed or deleted through the API. */
export async function enqueueWiki(
  event: CommittingEvent<keyof typeof WIKI_ACTIONS>,
  context: Context,
  receivers: Receivers,
): Promise<void> {
  const { repositoryId, actorId, page, comment } = event.payload;
  const repository = await findRepository(context.db, repositoryId);
  if (!repository) return;
  const payload = async () => {
    const actor = await actorOf(context, actorId);
    return {
      action: WIKI_ACTIONS[event.type],
      repository: await repositoryForOwner(context, repository),
      sender: presentSender(context, actor),
      page,
      comment,
    };
  };
  await enqueueDeliveries(context, receivers, { event: 'wiki', payload });
}
