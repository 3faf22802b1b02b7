import { findRepository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import type { StoredEvent } from '../../events/event-log.ts';
import { tell } from '../deliveries/tell.ts';
import { doerOf, presentSender } from './people.ts';
import { audienceOfRepository, repositoryForOwner } from './repositories.ts';

/** What payloads call each event. */
const WIKI_ACTIONS = {
  'wiki.page-created': 'created',
  'wiki.page-edited': 'edited',
  'wiki.page-deleted': 'deleted',
} as const;

/** The events of pages of wikis. */
export const WIKI_EVENTS = Object.keys(WIKI_ACTIONS) as readonly (keyof typeof WIKI_ACTIONS)[];

/** Tells of a page of a wiki that was made, changed or deleted through the interface. */
export async function tellOfWiki(event: StoredEvent<keyof typeof WIKI_ACTIONS>, context: Context): Promise<void> {
  const { repositoryId, doerId, page, comment } = event.payload;
  const repository = await findRepository(context.db, repositoryId);
  if (!repository) return;
  const payload = async () => {
    const doer = await doerOf(context, doerId);
    return {
      action: WIKI_ACTIONS[event.type],
      repository: await repositoryForOwner(context, repository),
      sender: presentSender(context, doer),
      page,
      comment,
    };
  };
  await tell(context, await audienceOfRepository(context, repository), { eventId: event.id }, { event: 'wiki', payload });
}
