import { presentUser } from '../../accounts/users/present.ts';
import type { Context } from '../../context.ts';
import type { StoredEvent } from '../../events/event-log.ts';
import { findRepository } from '../../repositories/find.ts';
import { tell } from '../deliveries/tell.ts';
import { countedBefore } from './issues.ts';
import { asSeenBy, doerOf, presentSender } from './people.ts';
import { audienceOfRepository, repositoryFor } from './repositories.ts';

/** Tells of an issue or a pull request that is gone, as it was. */
export async function tellOfDeletedIssue(event: StoredEvent<'issue.deleted'>, context: Context): Promise<void> {
  const { repositoryId, doerId, number, isPull, issue } = event.payload;
  const repository = await findRepository(context.db, repositoryId);
  if (!repository) return;
  const payload = async () => {
    const doer = await doerOf(context, doerId);
    const was = issue as { user: { id: number }; state: string };
    const counted = { all: -1, closed: was.state === 'closed' ? -1 : 0 };
    // It was presented to whoever deleted it; others read the payload.
    const author = presentUser(asSeenBy(context, doer), await doerOf(context, was.user.id));
    return {
      action: 'deleted',
      number,
      [isPull ? 'pull_request' : 'issue']: { ...was, user: author },
      repository: await repositoryFor(context, countedBefore(repository, isPull, counted), doer),
      sender: presentSender(context, doer),
      commit_id: '',
    };
  };
  const news = { event: isPull ? 'pull_request' : 'issues', payload } as const;
  await tell(context, await audienceOfRepository(context, repository), { eventId: event.id }, news);
}
